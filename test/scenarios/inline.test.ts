import { expect, test } from 'vitest'
import { createGreenhouse, type InlineScenario } from 'greenhouse-mock'
import { expectControlError, testControl } from '../support/control.ts'
import { open, testApi } from '../support/test-api.ts'

testApi(
  'a reply is stubbed in one line, and is as it was when the stub is cleared',
  {},
  async ({ world, call }) => {
    world.use({
      respond: [
        { on: 'apps.list', status: 500, headers: { 'X-Brew': 1 }, body: { id: 9007199254740993n } },
      ],
    })
    const stubbed = await call('GET', '/v1/apps')
    expect([stubbed.status, stubbed.text]).toEqual([500, '{"id":9007199254740993}'])
    expect(stubbed.headers.get('x-brew')).toBe('1')
    expect(stubbed.headers.get('x-greenhouse')).toBe(
      'world=default; operation=apps.list; scenario=inline-1',
    )
    expect((await call('GET', '/plants')).status).toBe(200)
    world.clear('inline-1')
    expect((await call('GET', '/v1/apps')).status).toBe(200)
  },
)

test('names are inline-1, inline-2 or made from the title; the same title replaces the scenario', () => {
  const world = createGreenhouse().world()
  world.use({ respond: [{ status: 500 }] })
  world.use({ respond: [{ status: 501 }] })
  world.use('slow')
  world.use({ title: 'Apps are down!', respond: [{ status: 502 }] })
  expect(world.scenarios).toEqual(['inline-1', 'inline-2', 'slow', 'inline-apps-are-down'])
  world.use({ title: 'Apps are down!', respond: [{ status: 503 }] })
  world.clear('inline-1')
  world.use({ respond: [{ status: 504 }] })
  expect(world.scenarios).toEqual(['inline-2', 'slow', 'inline-apps-are-down', 'inline-3'])
  expect(world.scenario, 'a header can not hold the others').toBe('slow')
  world.clear()
  for (const title of ['9 lives', 'x inline-9']) world.use({ title, respond: [{ status: 500 }] })
  world.use({ respond: [{ status: 500 }] })
  expect(world.scenarios).toEqual(['inline-9-lives', 'inline-x-inline-9', 'inline-1'])
})

test('a title of any characters becomes a name that a header can hold, and no other title has it', () => {
  const world = createGreenhouse().world()
  const respond = [{ status: 500 }]
  const titles = 'Ausfälle|Ausfölle|Ausfalle|障害|障碍|!!!|- -|inline-7'.split('|')
  const long = [57, 58, 199, 200].map((length) => 'x'.repeat(length))
  for (const title of [...titles, ...long]) world.use({ title, respond })
  expect(new Set(world.scenarios).size).toBe(12)
  expect(world.scenarios).toContain(`inline-${'x'.repeat(57)}`)
  expect(world.scenarios).toContain('inline-7')
  expect(world.scenarios[5], 'a title without letters').toMatch(/^inline-[\da-f]{8}$/)
  for (const name of world.scenarios) expect(name).toMatch(/^inline-[a-z0-9-]{1,57}$/)
})

test('active is data that useOnly and JSON accept, in the same order and with the same names', () => {
  const greenhouse = createGreenhouse()
  const world = greenhouse.world()
  world.use({ respond: [{ on: 'apps.list', status: 500, times: undefined }] })
  world.clear()
  world.use({ respond: [{ status: 500 }] })
  world.use({
    respond: [{ on: 'apps.list', status: 501, body: { at: new Date(0), me: { toJSON: String } } }],
  })
  world.use('slow')
  world.use({ title: 'later', assume: { 'plants.delete.unknown': '204' } })
  world.clear('inline-1')
  const { active, scenarios } = world
  expect(active).toEqual([
    {
      title: 'inline-2',
      respond: [
        { on: 'apps.list', status: 501, body: { at: '1970-01-01T00:00:00.000Z', me: 'me' } },
      ],
    },
    { name: 'slow', ms: 1000, on: '*' },
    { title: 'later', assume: { 'plants.delete.unknown': '204' } },
  ])
  for (const copy of [active, JSON.parse(JSON.stringify(active))]) {
    const other = greenhouse.world('other')
    other.useOnly(copy)
    expect(other.active).toEqual(active)
    expect(other.scenarios).toEqual(scenarios)
  }
})

test('changing the object afterwards changes nothing', async () => {
  const { call, world } = open()
  const scenario = { respond: [{ status: 500, body: { a: [1] } }] }
  world.use(scenario)
  scenario.respond[0]!.status = 200
  scenario.respond[0]!.body.a.push(2)
  expect(await call('GET', '/plants')).toMatchObject({ status: 500, text: '{"a":[1]}' })
  const [given] = world.active as unknown as [{ respond: [{ body: { a: number[] } }] }]
  expect(() => given.respond[0].body.a.push(3)).toThrow(TypeError)
})

test('createGreenhouse, useOnly and reset take inline scenarios among others', () => {
  const stub: InlineScenario = { respond: [{ on: 'apps.list', status: 500 }] }
  const slow = expect.objectContaining({ name: 'slow' })
  const shown = [{ title: 'inline-1', ...stub }, slow, { title: 'inline-2', ...stub }]
  const greenhouse = createGreenhouse({ use: [stub, 'slow', stub] })
  const world = greenhouse.world('other')
  expect(world.active).toEqual(shown)
  world.clear()
  world.useOnly([stub, { name: 'slow' }, stub])
  expect(world.active).toEqual(shown)
  world.clear()
  world.reset()
  expect(world.active).toEqual(shown)
  world.reset({ scenarios: [stub] })
  expect(world.active).toEqual([{ title: 'inline-1', ...stub }])
})

test('a reload leaves it as it is, whatever scenario gets its name', async () => {
  const { call, greenhouse, world } = open()
  const status = async () => (await call('GET', '/plants', { key: null })).status
  world.use({ respond: [{ status: 418, times: 2 }] })
  expect(await status()).toBe(418)
  const file = { title: 'T', description: 'D', covers: 'C', respond: [{ status: 500 }] }
  greenhouse.reload({ scenarios: { 'inline-1': file } })
  expect([await status(), await status()]).toEqual([418, 401])
  world.clear()
  world.use({ respond: [{ status: 501 }] })
  expect(world.scenarios, 'a name of the library is not taken').toEqual(['inline-2'])
  const message = 'the name "inline-1" is the name of a scenario file. Choose another title.'
  expect(() => world.use({ title: 'inline-1', respond: [{ status: 501 }] })).toThrow(
    expect.objectContaining({
      message: `Failed to use an inline scenario: title: ${message}`,
      findings: [{ path: ['title'], message }],
    }),
  )
})

test('text with ${…} in it stays as it is: there are no options', async () => {
  const greenhouse = createGreenhouse()
  greenhouse.world().use({ respond: [{ status: 200, text: '${on} ${' }] })
  expect(await (await greenhouse.fetch(new Request('http://any/plants'))).text()).toBe('${on} ${')
})

const large = { respond: [{ status: 200, text: 'x'.repeat(400_000) }] }

test('a world has at most 100 of them, and says how to clear one', () => {
  const world = createGreenhouse().world()
  for (let count = 0; count < 100; count++) world.use({ respond: [{ status: 500 }] })
  const message = 'a world has at most 100 of them. Clear some'
  expect(() => world.use({ respond: [{ status: 500 }] })).toThrow(message)
  expect(world.scenarios).toHaveLength(100)
  expect(() =>
    world.useOnly(Array.from({ length: 101 }, () => ({ respond: [{ status: 500 }] }))),
  ).toThrow(message)
  world.use('slow')
  world.use({ title: 'inline-1', respond: [{ status: 503 }] })
  expect(world.scenarios).toHaveLength(101)
  world.clear('inline-5')
  world.use({ respond: [{ status: 500 }] })
  expect(world.scenarios.at(-1)).toBe('inline-101')
})

test('they count as data of their world, in snapshots too, until they are cleared', () => {
  const greenhouse = createGreenhouse({ memory: 4_000_000 })
  const world = greenhouse.world()
  const fill = () => {
    let count = 0
    try {
      for (; count < 50; count++) world.use(large)
    } catch (error) {
      expect((error as Error).name).toBe('DataMemoryError')
    }
    return count
  }
  const count = fill()
  expect(count).toBe(4)
  expect(world.scenarios, 'what was refused changed nothing').toHaveLength(4)
  world.clear()
  expect(fill()).toBe(count)
  expect(() => world.snapshot('full'), 'a snapshot is a copy').toThrow(
    'The memory limit of this mock is reached',
  )
  world.clear()
  world.use(large)
  world.snapshot('one')
  world.clear()
  expect(fill(), 'the snapshot has the rest').toBe(count - 1)
  world.clear()
  world.snapshot('one')
  expect(fill()).toBe(count)
  world.reset()
  expect(fill()).toBe(count)
})

test('an invalid inline scenario is refused before anything changes', () => {
  const greenhouse = createGreenhouse({ memory: 1_000_000 })
  const world = greenhouse.world()
  world.use('slow')
  expect(() => world.reset({ scenarios: [large, large] })).toThrow(
    'The memory limit of this mock is reached',
  )
  expect(() => world.useOnly([large, large])).toThrow('The memory limit of this mock is reached')
  expect(world.scenarios).toEqual(['slow'])
})

const path = '/worlds/checkout/scenarios'

testControl(
  'the control API takes inline scenarios, and gives them back alike',
  async ({ control, call }) => {
    const active = [
      { respond: [{ on: 'apps.list', status: 500 }] },
      'flaky',
      { title: 'Apps are slow', fault: [{ kind: 'delay', on: 'apps.*', fixed: 5 }] },
    ]
    const { status, body } = await control('PUT', path, { active })
    expect(status).toBe(200)
    expect(body.active).toMatchObject([
      { title: 'inline-1', ...(active[0] as object) },
      { name: 'flaky' },
      active[2],
    ])
    expect((await control('GET', path)).body).toEqual(body)
    const names = ['inline-1', 'flaky', 'inline-apps-are-slow']
    expect((await control('GET', '/worlds/checkout')).body.scenarios).toEqual(names)
    const reply = await call('/~checkout/v1/apps')
    expect(reply.headers.get('x-greenhouse')).toBe(
      'world=checkout; operation=apps.list; scenario=flaky,inline-apps-are-slow; idle=inline-1',
    )
    expect((await control('PUT', path, body)).body).toEqual(body)
    expect(
      (await control('PUT', '/worlds/other', { scenarios: body.active })).body.scenarios,
    ).toEqual(['inline-1', 'flaky', 'inline-apps-are-slow'])
  },
)

testControl('large integers come as they went', async ({ control, call }) => {
  const text =
    '{"active":[{"title":"inline-1","respond":[{"status":200,"body":{"id":9007199254740993}}]}]}'
  expect((await control('PUT', path, text)).text).toBe(text)
  expect(await (await call('/~checkout/plants')).text()).toBe('{"id":9007199254740993}')
})

testControl(
  'the journal names it, and is asked for what it changed',
  async ({ control, call, greenhouse }) => {
    await call('/plants')
    greenhouse
      .world()
      .use({ title: 'no plants', respond: [{ on: 'plants.list', status: 200, body: [] }] })
    await call('/plants')
    await call('/v1/apps')
    const journal = '/worlds/default/journal'
    const [entry] = (await control('GET', `${journal}?scenario=inline-no-plants`)).body.data
    expect(entry).toMatchObject({
      id: 2,
      scenarios: ['inline-no-plants'],
      reason: 'scenario inline-no-plants answered instead',
      verdicts: [{ scenario: 'inline-no-plants', effect: 'respond.0', fired: true }],
    })
    greenhouse.world().clear()
    expect((await control('GET', `${journal}?scenario=inline-no-plants`)).body.data).toHaveLength(1)
    expectControlError(
      await control('GET', `${journal}?scenario=inline-no-plans`),
      400,
      'unknown_scenario',
      /there is no such scenario\. Did you mean "inline-no-plants"\?/,
    )
  },
)

const itself: Record<string, unknown> = {}
itself['respond'] = [{ status: 200, body: [itself, itself] }]

/** A list that something in it holds. */
const ring: unknown[] = []
ring.push({ of: [ring] })

const named = (name: unknown) => Object.defineProperty(class {}, 'name', { value: name })
const answering = (body: unknown) => ({ respond: [{ status: 200, body }] })

/**
 * What only code can say, or is said in another way than of a file: mistakes.test.ts has what both
 * have in common.
 */
const wrong: [given: object, message: string][] = [
  [
    { repond: [] },
    'repond: there is no such field; expected one of title, keys,…Did you mean "respond"?$',
  ],
  [{ nmae: 'slow' }, 'Did you mean "name"?'],
  [{ title: 'only a title' }, 'it has no effects: expected at least one of keys, quota,'],
  [{ fault: [], malform: [] }, 'it has no effects: expected at least one of keys, quota,'],
  [
    { respond: [{ status: 500 }, { on: ['*', 'ap.*'], status: 500 }] },
    'respond[1].on[1]: no operation is called "ap.*"',
  ],
  [{ respond: { status: 500 } }, 'respond: expected a list, received a mapping'],
  [{ malform: [{ on: 'plants.list', at: '/0/nmae', kind: 'null' }] }, 'malform[0].at: '],
  [{ assume: { 'plants.delete.unknwon': '204' } }, 'assume["plants.delete.unknwon"]: '],
  [{ title: 3, respond: [{ status: 500 }] }, 'title: expected a string'],
  [{ title: null, respond: [{ status: 500 }] }, 'title: expected a string'],
  [{ title: 'two\nlines', respond: [{ status: 500 }] }, 'title: expected a single line'],
  [
    { title: 'x'.repeat(201), respond: [{ status: 500 }] },
    'title: expected at most 200 characters',
  ],
  [{ respond: [{ status: 500 }], options: {} }, 'options: there is no such field'],
  [
    { respond: [{ status: 200, text: 'x'.repeat(2 ** 20) }] },
    'scenario: it takes…expected at most 1048576',
  ],
  [
    { fault: [{ kind: 'x'.repeat(200) }] },
    'there is no kind "… (200 characters)"; expected one of',
  ],
  [answering(() => 'x'), 'respond[0].body: is a function: a scenario is data.'],
  [answering({ size: NaN }), 'respond[0].body.size: is not a valid JSON number: NaN'],
  [answering(new Map()), 'respond[0].body: is a Map: expected a JSON value'],
  ...['', 'a b', ' a', 'x'.repeat(41), 5].map((name): [object, string] => [
    answering(new (named(name))()),
    'respond[0].body: is an object of a class: expected',
  ]),
  [answering(new (named('x'.repeat(40)))()), 'respond[0].body: is a xxx'],
  [answering(Object.create({ constructor: undefined })), 'respond[0].body: is an object of a'],
  [answering([undefined]), 'respond[0].body[0]: is undefined: expected a JSON value'],
  [answering(Symbol('x')), 'respond[0].body: is Symbol(x): expected a JSON value'],
  [answering(JSON.parse('{"__proto__": 1}')), 'respond[0].body.__proto__: the name "__proto__"'],
  [itself, 'scenario: respond[0].body[0]: refers to a value that contains it$'],
  [
    { respond: [{ status: 200, body: ring }, { status: 'x' }, { status: NaN }] },
    'scenario: respond[0].body[0].of[0]: refers to a value that contains it$',
  ],
  [{ toJSON: () => null }, 'scenario: expected a mapping, received null$'],
  [{ toJSON: () => '' }, 'scenario: expected a mapping, received ""$'],
  [
    { payments: [{ charge: 'purchase', where: { account: 'acct_por' } }] },
    'payments[0].where.account: there is no…Did you mean "acct_pro"?',
  ],
  [
    { respond: [{ status: 500 }, { status: 500, where: { key: 'key_por' } }] },
    'respond[1].where.key: the world "default" has no such key. Did you mean "key_pro"? It has key_free, ',
  ],
]

test.each(wrong)(
  '%j as an inline scenario is rejected, and the active ones stay: %s',
  (given, message) => {
    const world = createGreenhouse().world()
    world.use('slow')
    for (const act of [
      () => world.use(given as never),
      () => world.useOnly(['flaky', given as never]),
      () => world.reset({ scenarios: [given as never] }),
      () => createGreenhouse({ use: [given as never] }),
    ]) {
      const error = catching(act)
      expect(error).toBeInstanceOf(RangeError)
      expect(error.message).toMatch(/^Failed to use an inline scenario: /)
      for (const part of message.split('…')) expect(`${error.message}$`).toContain(part)
      expect(error.message.length).toBeLessThan(1_100)
      expect(error.message).not.toMatch(/\.yaml|inline-1/)
    }
    expect(world.scenarios).toEqual(['slow'])
  },
)

test('a mistake is reported once, and of many the first five with the number of the others', () => {
  const world = createGreenhouse().world()
  expect(() => world.use({ respond: [{ status: NaN }] })).toThrow(
    /^Failed to use an inline scenario: respond\[0\]\.status: is not a valid JSON number: NaN$/,
  )
  const endless = { toJSON: () => [endless, endless] }
  expect(() => world.use({ respond: [{ status: 200, body: endless }] })).toThrow(
    /^Failed to use an inline scenario: respond\[0\]\.body: nested deeper than 100 levels$/,
  )
  const respond = Array.from({ length: 50 }, () => ({ on: 'x', status: 1 }))
  expect(() => world.use({ respond } as never)).toThrow(/respond\[4\]\.status: .*; and 45 more$/)
})

test('an inline scenario may name the accounts that the world has, and those that it starts with', () => {
  const world = createGreenhouse().world()
  const ann = { id: 'acct_ann', name: 'Ann', email: 'ann@example.com', plan: 'pro' as const }
  const scenario = { respond: [{ status: 500, where: { account: 'acct_ann' } }] }
  expect(() => world.reset({ scenarios: [scenario] })).toThrow('there is no account "acct_ann"')
  world.reset({
    scenarios: [scenario],
    records: { accounts: [ann], keys: [], plants: [], apps: [] },
  })
  expect(world.scenarios).toEqual(['inline-1'])
  expect(() => world.use('purchase-declined', { account: 'acct_pro' })).toThrow(
    'can\'t be "acct_pro": there is no',
  )
  expect(() =>
    world.use({ respond: [{ status: 500, where: { account: 'any', key: 'any' } }] }),
  ).not.toThrow()
})

test('wrong arguments for an inline scenario are a TypeError', () => {
  const world = createGreenhouse().world()
  expect(() => world.use({ respond: [{ status: 500 }] }, { ms: 5 } as never)).toThrow(
    'Failed to use an inline scenario: it takes no options. Write the values into its effects, such as { respond: [{ on: "apps.list", status: 500 }] }.',
  )
  for (const nothing of [[], { name: 5, respond: [] }])
    expect(() => world.use(nothing as never)).toThrow(/or an inline scenario, such as \{ respond: /)
  expect(world.scenarios).toEqual([])
})

test('clearing an inline scenario that is not active names the nearest one', () => {
  const world = createGreenhouse().world()
  world.use({ title: 'down', respond: [{ status: 500 }] })
  expect(() => world.clear('inline-donw')).toThrow(
    'Failed to clear the scenario "inline-donw": there is no such scenario. Did you mean "inline-down"?',
  )
  expect(() => world.clear('down')).toThrow('Did you mean "inline-down"?')
})

test.each(['/0/nam', '/3/name2', '/0/name2'])(
  'of a pointer that leads nowhere the nearest is suggested: %s',
  (at) => {
    const world = createGreenhouse().world()
    const use = () => world.use({ malform: [{ on: 'plants.list', at, kind: 'null' }] })
    expect(use).toThrow('Did you mean "/0/name"?')
  },
)

function catching(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown.')
}
