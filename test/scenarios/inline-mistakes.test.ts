import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'

const itself: Record<string, unknown> = {}
itself['respond'] = [{ status: 200, body: itself }]

const answering = (body: unknown) => ({ respond: [{ status: 200, body }] })

/** What only code can say, or is said in another way than of a file: mistakes.test.ts has what both have in common. */
const wrong: [given: object, message: string][] = [
  [{ repond: [] }, 'repond: there is no such field; expected one of title, keys,…Did you mean "respond"?'],
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
  [{ title: 'x'.repeat(201), respond: [{ status: 500 }] }, 'title: expected at most 200 characters'],
  [{ respond: [{ status: 500 }], options: {} }, 'options: there is no such field'],
  [{ respond: [{ status: 200, text: 'x'.repeat(2 ** 20) }] }, 'expected at most 1048576'],
  [{ fault: [{ kind: 'x'.repeat(200) }] }, `there is no kind "${'x'.repeat(100)}… (200 characters)"; expected one of`],
  [answering(() => 'x'), 'respond[0].body: is a function: a scenario is data.'],
  [answering({ size: NaN }), 'respond[0].body.size: is not a valid JSON number: NaN'],
  [answering(new Map()), 'respond[0].body: is a Map: expected a JSON value'],
  [answering(new (class {})()), 'respond[0].body: is an object of a class: expected'],
  [answering([undefined]), 'respond[0].body[0]: is undefined: expected a JSON value'],
  [answering(Symbol('x')), 'respond[0].body: is Symbol(x): expected a JSON value'],
  [answering(JSON.parse('{"__proto__": 1}')), 'respond[0].body.__proto__: the name "__proto__"'],
  [itself, 'nested deeper than 100 levels'],
  [
    { payments: [{ charge: 'purchase', where: { account: 'acct_por' } }] },
    'payments[0].where.account: there is no…Did you mean "acct_pro"?',
  ],
  [
    { respond: [{ status: 500 }, { status: 500, where: { key: 'key_por' } }] },
    'respond[1].where.key: the world "default" has no such key. Did you mean "key_pro"? It has key_free, ',
  ],
]

test.each(wrong)('%j as an inline scenario is rejected, and the active ones stay: %s', (given, message) => {
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
    for (const part of message.split('…')) expect(error.message).toContain(part)
    expect(error.message.length).toBeLessThan(1_100)
    expect(error.message).not.toMatch(/\.yaml|inline-1/)
  }
  expect(world.scenarios).toEqual(['slow'])
})

test('a mistake is reported once, and of many the first five with the number of the others', () => {
  const world = createGreenhouse().world()
  expect(() => world.use({ respond: [{ status: NaN }] })).toThrow(
    /^Failed to use an inline scenario: respond\[0\]\.status: is not a valid JSON number: NaN$/,
  )
  const respond = Array.from({ length: 50 }, () => ({ on: 'x', status: 1 }))
  expect(() => world.use({ respond } as never)).toThrow(/respond\[4\]\.status: .*; and 45 more$/)
})

test('an inline scenario may name the accounts that the world has, and those that it starts with', () => {
  const world = createGreenhouse().world()
  const ann = { id: 'acct_ann', name: 'Ann', email: 'ann@example.com', plan: 'pro' as const }
  const scenario = { respond: [{ status: 500, where: { account: 'acct_ann' } }] }
  expect(() => world.reset({ scenarios: [scenario] })).toThrow('there is no account "acct_ann"')
  world.reset({ scenarios: [scenario], records: { accounts: [ann], keys: [], plants: [], apps: [] } })
  expect(world.scenarios).toEqual(['inline-1'])
  expect(() => world.use('purchase-declined', { account: 'acct_pro' })).toThrow('can\'t be "acct_pro": there is no')
  expect(() => world.use({ respond: [{ status: 500, where: { account: 'any', key: 'any' } }] })).not.toThrow()
})

test('options for an inline scenario, and what is neither name nor scenario, are a TypeError', () => {
  const world = createGreenhouse().world()
  expect(() => world.use({ respond: [{ status: 500 }] }, { ms: 5 } as never)).toThrow(
    new TypeError(
      'Failed to use an inline scenario: it takes no options. Write the values into its effects, such as { respond: [{ on: "apps.list", status: 500 }] }.',
    ),
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

test.each(['/0/nam', '/3/name2', '/0/name2'])('of a pointer that leads nowhere the nearest is suggested: %s', (at) => {
  const world = createGreenhouse().world()
  const use = () => world.use({ malform: [{ on: 'plants.list', at, kind: 'null' }] })
  expect(use).toThrow('Did you mean "/0/name"?')
})

function catching(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown.')
}
