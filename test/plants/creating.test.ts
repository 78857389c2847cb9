import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './helpers.ts'

testApi('a created plant comes back with name and tag, and is listed', async ({ call }) => {
  const plant = { name: 'Ficus', tag: 'tree' }
  const { status, headers, body } = await call('POST', '/plants', {
    key: 'key_lite',
    body: { id: 1007, ...plant },
  })
  expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', plant])
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([plant])
})

testApi('a plant without a tag is kept without one', {}, async ({ call, world }) => {
  await call('POST', '/plants', { body: { id: 1007, name: 'Ficus' } })
  expect(Object.keys(world.records.plants.get(1007)!)).toEqual(['id', 'name', 'account'])
})

testApi('a name and a tag come back to the letter, in any script', async ({ call }) => {
  const plant = { name: 'Fraisier des bois – 桜 \u{1F331} "q" \\ \u0000 \ud800', tag: '' }
  const { body } = await call('POST', '/plants', { body: { id: 1007, ...plant } })
  expect(body).toEqual(plant)
})

const bodies: [what: string, body: unknown][] = [
  ['no field', {}],
  ['no id', { name: 'Ficus' }],
  ['no name', { id: 1007 }],
  ['a name of null', { id: 1007, name: null }],
  ['a name that is a number', { id: 1007, name: 7 }],
  ['a name that is a list', { id: 1007, name: ['Ficus'] }],
  ['a name that is an object', { id: 1007, name: { name: 'Ficus' } }],
  ['a tag of null', { id: 1007, name: 'Ficus', tag: null }],
  ['a tag that is a number', { id: 1007, name: 'Ficus', tag: 7 }],
  ['a tag that is a boolean', { id: 1007, name: 'Ficus', tag: false }],
  ['a tag that is a list', { id: 1007, name: 'Ficus', tag: ['tree'] }],
  ['fields in other letter case', { Id: 1007, Name: 'Ficus' }],
]

testApi(
  'a body that is no NewPlant is answered with 400 and creates nothing',
  async ({ call, world }) => {
    const before = world.records.plants.count()
    for (const [what, body] of bodies)
      expectRefusal(await call('POST', '/plants', { body }), 400, what)
    expect(world.records.plants.count()).toBe(before)
  },
)

testApi(
  'a body that holds a huge integer elsewhere does not make its id another one',
  async ({ call }) => {
    expectRefusal(
      await call('POST', '/plants', {
        body: '{"id":101,"name":"second","age":9223372036854775807}',
      }),
      400,
    )
    expect(
      (
        await call('POST', '/plants', {
          body: '{"id":1007,"name":"first","age":9223372036854775807}',
        })
      ).status,
    ).toBe(200)
    expectRefusal(await call('POST', '/plants', { body: { id: 1007, name: 'second' } }), 400)
    expect((await call('DELETE', '/plants/1007')).status).toBe(204)
  },
)

testApi(
  "an id of another account's plant is taken too, and the journal says whose it is",
  async ({ call, world }) => {
    const answer = await call('POST', '/plants', {
      key: 'key_lite',
      body: { id: 101, name: 'second' },
    })
    expectRefusal(answer, 400)
    expect(JSON.stringify(answer.body)).not.toContain('acct_pro')
    expect(world.journal.calls().at(-1)!.reason).toMatch(
      /^id: a plant with the id 101 exists already\. It is "[^"]+" of the account acct_pro\.$/,
    )
  },
)

testApi(
  'plants ignore Idempotency-Key: each request is carried out, whatever the key',
  async ({ call, world }) => {
    const before = world.records.plants.count()
    for (const [id, key] of [
      [7001, 'one'],
      [7002, 'one'],
      [7003, ''],
      [7004, 'x'.repeat(300)],
    ] as const) {
      const answer = await call('POST', '/plants', {
        body: { id, name: 'Fern' },
        headers: { 'idempotency-key': key },
      })
      expect([id, answer.status]).toEqual([id, 200])
      expect(answer.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(world.records.plants.count()).toBe(before + 4)
  },
)

const fifty = Array.from({ length: 50 }, (_, index) => index)

testApi('exactly one of 50 identical creations at once succeeds', async ({ call }) => {
  for (const id of ['1007', '9223372036854775807']) {
    const answers = await Promise.all(
      fifty.map((index) =>
        call('POST', '/plants', { key: 'key_lite', body: `{"id":${id},"name":"${index}"}` }),
      ),
    )
    const created = answers.filter(({ status }) => status === 200)
    expect(created).toHaveLength(1)
    for (const answer of answers) if (answer !== created[0]) expectRefusal(answer, 400)
    expect((await call('GET', '/plants?limit=9', { key: 'key_lite' })).body).toContainEqual(
      created[0]!.body,
    )
  }
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toHaveLength(2)
})

testApi('exactly one of 50 identical deletions at once succeeds', async ({ call }) => {
  const answers = await Promise.all(fifty.map(() => call('DELETE', '/plants/101')))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(404)])
})

const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)

testApi('a deleted plant is gone and the others stay', async ({ call }) => {
  const { status, text } = await call('DELETE', '/plants/202', { key: 'key_pro_plus' })
  expect({ status, text }).toEqual({ status: 204, text: '' })
  expect(names(await call('GET', '/plants', { key: 'key_pro_plus' }))).toEqual([
    'Paphiopedilum rothschildianum',
    'Amorphophallus titanum',
    'Wollemia nobilis',
  ])
})

testApi('a body on a deletion is not looked at', async ({ call }) => {
  expect((await call('DELETE', '/plants/202', { key: 'key_pro_plus', body: '{' })).status).toBe(204)
})

testApi('an id in the path that is no integer of 64 bits is refused', async ({ call, world }) => {
  const before = world.records.plants.all()
  const ids = [
    [
      'one',
      '1a',
      '1.0',
      '1.5',
      '1e2',
      '0x65',
      '101n',
      '+101',
      '-',
      '--1',
      '101-',
      '１０１',
      'null',
      'NaN',
      '*',
    ],
    [
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551717',
      '9'.repeat(4000),
      '%20',
      '101%20',
    ],
    [
      '%20101',
      '%00',
      '101%00',
      '101%0A',
      '101%2F',
      '1%2F101',
      '%2B101',
      '101,102',
      '101;102',
      '%F0%9F%8C%B1',
    ],
    ['__proto__', 'constructor', 'prototype', 'toString'],
  ].flat()
  for (const id of ids) expectRefusal(await call('DELETE', `/plants/${id}`), 400, id)
  expect(world.records.plants.all()).toEqual(before)
})

testApi('an id whose percent-encoding is wrong is refused', async ({ call }) => {
  for (const id of ['%zz', '%', '101%', '%ff', '%C0%80', '%ED%A0%80', '%E0%A4%A'])
    expectRefusal(await call('DELETE', `/plants/${id}`), 400, id)
})

testApi("a plant that an account creates shows up in no other account's list", async ({ call }) => {
  const before = (await call('GET', '/plants', { key: 'key_pro' })).text
  await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'Ficus' } })
  expect((await call('GET', '/plants', { key: 'key_pro' })).text).toBe(before)
})

testApi("another account's plant can't be deleted and looks like none", async ({ call }) => {
  const foreign = await call('DELETE', '/plants/1', { key: 'key_pro' })
  const absent = await call('DELETE', '/plants/9', { key: 'key_pro_plus' })
  expectRefusal(foreign, 404)
  expect(foreign.body.message).toBe(absent.body.message.replace('9', '1'))
  expect((await call('GET', '/plants', { key: 'key_free' })).body).toHaveLength(12)
})

testApi('two keys of one account see the same plants', async ({ call }) => {
  await call('POST', '/plants', { key: 'key_pro', body: { id: 1007, name: 'Ficus' } })
  const { body } = await call('GET', '/plants', { key: 'key_readonly' })
  expect(body).toHaveLength(15)
  expect(body.at(-1)).toEqual({ name: 'Ficus' })
})

testApi(
  'a request without a valid key is refused for that, even when its body or id is invalid',
  async ({ call }) => {
    expectRefusal(await call('POST', '/plants', { key: null, body: '{' }), 401)
    expectRefusal(await call('DELETE', '/plants/one', { key: null }), 401)
    expectRefusal(await call('POST', '/plants', { key: 'key_readonly', body: '{' }), 403)
  },
)

const lacking: [path: string, methods: string[]][] = [
  ['/plants', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']],
  ['/plants/101', ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND']],
]

testApi(
  'a method that a path does not have is not found, and changes nothing',
  async ({ call, send, world }) => {
    const before = world.records.plants.all()
    for (const [path, methods] of lacking)
      for (const method of methods)
        expectRefusal(await call(method, path), 404, `${method} ${path}`)
    expectRefusal(await call('POST', '/plants/101', { body: { id: 1007, name: 'Ficus' } }), 404)
    expect(
      (await send('/plants/101', { method: 'HEAD', headers: { authorization: 'Bearer key_pro' } }))
        .status,
    ).toBe(404)
    expect(world.records.plants.all()).toEqual(before)
  },
)

testApi('the message lists the methods of the path', async ({ call }) => {
  expect((await call('PUT', '/plants')).body.message).toMatch(/PUT.*POST, GET/)
})

testApi('a path below /plants that does not exist is not found', async ({ call }) => {
  for (const below of ['/', '//', '/101/', '/101/leaves', '//101', '/101/..%2f102/x', '/%zz/x'])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { id: 1007, name: 'Ficus' } : undefined
      expectRefusal(await call(method, `/plants${below}`, { body }), 404, `${method} ${below}`)
    }
})

testApi('dots in a path are resolved as every client does', async ({ call }) => {
  expect((await call('GET', '/plants/x/..', {})).status).toBe(404)
  expect((await call('DELETE', '/plants/./101')).status).toBe(204)
})

testApi('a path outside both areas is not found, in the shape of Area A', {}, async ({ call }) => {
  for (const path of [
    ['/', '/plant', '/plantsx', '/Plants', '/PLANTS', '//plants', '/x/plants', '/v2/apps', '/v1x'],
    ['/__proto__', '/constructor', '/%zz'],
  ].flat())
    expectRefusal(await call('GET', path), 404, path)
})
