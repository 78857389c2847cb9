import { expect } from 'vitest'
import { expectControlError, testControl as test, type Controlled } from '../support/control.ts'
import { startReceiver } from '../webhooks/receiver.ts'

async function copy(
  { control, greenhouse }: Controlled,
  as: string,
  world = 'default',
  id?: number,
) {
  const entry = id ?? greenhouse.world(world).journal.calls().at(-1)!.id
  const { body } = await control('GET', `/worlds/${world}/journal/${entry}/code?as=${as}`)
  return body as { text: string; notes: string[] }
}

test('a command names the world, and the key where it has a plain name', async (controlled) => {
  const { call, server } = controlled
  await call('/~checkout/plants?limit=1')
  expect(await copy(controlled, 'curl', 'checkout')).toEqual({
    text: `curl '${server.url}/~checkout/plants?limit=1' -H 'authorization: Bearer key_pro' -H 'content-type: application/json'`,
    notes: [],
  })
  await call('/plants', {
    headers: { authorization: 'Bearer sk_0123456789abcdef', 'x-greenhouse-world': 'checkout' },
  })
  const { text, notes } = await copy(controlled, 'httpie', 'checkout')
  expect(text).toBe(
    `http GET '${server.url}/plants' "authorization:Bearer $KEY" 'content-type:application/json' 'x-greenhouse-world:checkout'`,
  )
  expect(notes).toEqual(['Set KEY: the journal keeps no keys.'])
})

test('a test of a reply with a secret compares its other fields', async (controlled) => {
  const { call } = controlled
  const body = { url: 'https://example.com/hook', events: ['app.created'] }
  const { status } = await call('/v1/webhooks', { method: 'POST', body: JSON.stringify(body) })
  expect(status).toBe(201)
  const { text } = await copy(controlled, 'vitest')
  expect(text).toContain('const { secret, ...body } = await reply.json()')
  expect(text).toMatch(/expect\(body\)\.toEqual\(\{[^]*url: 'https:\/\/example\.com\/hook'/)
})

test('a test repeats the reads before only where a scenario counts them', async (controlled) => {
  const { call, world } = controlled
  for (const after of [1, undefined]) {
    world.reset()
    world.use({ respond: [{ on: 'plants.list', status: 503, after }] })
    await call('/plants?limit=1')
    await call('/plants?limit=2')
    const { text } = await copy(controlled, 'vitest')
    expect(text).toContain('/plants?limit=2')
    expect(text.includes('/plants?limit=1'), text).toBe(after !== undefined)
  }
})

const teapot = {
  title: 'A teapot',
  description: 'No coffee.',
  covers: 'Tea.',
  respond: [{ on: 'plants.list', status: 418, text: 'short and stout' }],
}

test(
  'a test has the scenarios and records of this Greenhouse, and says what else it needs of it',
  {
    scenarios: { teapot },
    fixtures: { extends: 'default', plants: [{ id: 7_000, name: 'Own', account: 'acct_pro' }] },
    strict: true,
  },
  async (controlled) => {
    const { call, world } = controlled
    world.use('teapot' as never)
    await call('/plants')
    const { text, notes } = await copy(controlled, 'node')
    expect(notes).toEqual([
      'This Greenhouse was started with its own strict: add the same to its options below.',
    ])
    expect(text).toMatch(/^\/\/ This Greenhouse was started with its own strict/)
    expect(text).toMatch(/own_scenarios: \{[^]*teapot: \{[^]*418/)
    expect(text).toMatch(/plants: \{ put: \[\{ id: 7000[^]*use: \[\{ name: 'teapot' \}\]/)
  },
)

test(
  'a test has long numbers and odd names as they are',
  {
    fixtures: {
      extends: 'default',
      plants: [{ id: 9_007_199_254_740_993n, name: 'Own', account: 'acct_pro' }],
    },
  },
  async (controlled) => {
    await controlled.call('/plants', {
      method: 'POST',
      body: '{"id":7001,"name":"A","__proto__":1,"a b":2}',
    })
    const { text } = await copy(controlled, 'node')
    expect(text).toMatch(/put: \[\{ id: 9007199254740993n,/)
    expect(text).toContain("{ id: 7001, name: 'A', ['__proto__']: 1, 'a b': 2 }")
  },
)

const long = (length: number) => JSON.stringify({ id: 7, name: 'x'.repeat(length) })

test('a test says in its first line what the journal did not keep', async (controlled) => {
  const { call } = controlled
  for (const [length, line] of [
    [70_000, '// The journal kept only the beginning of the body: complete it.'],
    [2 ** 20, '// The journal did not keep the body, which was too large: this one is, too.'],
  ] as const) {
    await call('/plants', {
      method: 'POST',
      body: long(length),
      headers: { 'content-type': 'application/json' },
    })
    expect((await copy(controlled, 'vitest')).text.split('\n')[0]).toBe(line)
  }
})

test(
  'no secret of the world is in a test, and the copy changes nothing',
  { frozen: true },
  async (controlled) => {
    const { call, world, greenhouse } = controlled
    const { secret } = await world.createKey({ account: 'acct_pro', scopes: ['plants:read'] })
    await call('/v1/apps', { headers: { authorization: `Bearer ${secret}` } })
    const before = JSON.stringify([world.toCase(), greenhouse.worlds()], (name, value) =>
      name === 'made' ? '' : value,
    )
    const { text } = await copy(controlled, 'jest')
    expect(text).toContain("secret: 'key_copied'")
    expect(text).not.toContain(secret)
    const after = JSON.stringify([world.toCase(), greenhouse.worlds()], (name, value) =>
      name === 'made' ? '' : value,
    )
    expect(after).toBe(before)
    world.records.keys.update(secret, { revoked: true })
    expect((await copy(controlled, 'jest')).text).toBe(text)
  },
)

test('a copy sends no webhook', async (controlled) => {
  const { api, world } = controlled
  const receiver = await startReceiver()
  const webhook = { url: receiver.url, events: ['app.created'] }
  expect((await api('POST', '/v1/webhooks', { body: webhook })).status).toBe(201)
  for (const name of ['one', 'two', 'three']) {
    await api('POST', '/v1/apps', { body: { name } })
    await world.settled()
    expect((await copy(controlled, 'vitest')).text).toContain(`name: '${name}'`)
  }
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.name)).toEqual([
    'one',
    'two',
    'three',
  ])
})

test('an unknown form is an error, like an unknown entry', async (controlled) => {
  const { call, control } = controlled
  await call('/plants')
  expectControlError(
    await control('GET', '/worlds/default/journal/1/code?as=mocha'),
    400,
    'invalid_request',
  )
  expectControlError(
    await control('GET', '/worlds/default/journal/2/code?as=curl'),
    404,
    'unknown_entry',
  )
})
