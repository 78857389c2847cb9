import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './helpers.ts'

testApi('a created plant comes back with name and tag, and is listed', async ({ call }) => {
  const plant = { name: 'Ficus', tag: 'tree' }
  const { status, headers, body } = await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, ...plant } })
  expect([status, headers.get('content-type'), body]).toEqual([200, 'application/json', plant])
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([plant])
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

testApi('a body that is no NewPlant is answered with 400 and creates nothing', async ({ call, world }) => {
  const before = world.records.plants.count()
  for (const [what, body] of bodies) expectRefusal(await call('POST', '/plants', { body }), 400, what)
  expect(world.records.plants.count()).toBe(before)
})

testApi('a body that holds a huge integer elsewhere does not make its id another one', async ({ call }) => {
  expectRefusal(await call('POST', '/plants', { body: '{"id":101,"name":"second","age":9223372036854775807}' }), 400)
  expect((await call('POST', '/plants', { body: '{"id":1007,"name":"first","age":9223372036854775807}' })).status).toBe(
    200,
  )
  expectRefusal(await call('POST', '/plants', { body: { id: 1007, name: 'second' } }), 400)
  expect((await call('DELETE', '/plants/1007')).status).toBe(204)
})

testApi("an id of another account's plant is taken too, and the journal says whose it is", async ({ call, world }) => {
  const answer = await call('POST', '/plants', { key: 'key_lite', body: { id: 101, name: 'second' } })
  expectRefusal(answer, 400)
  expect(JSON.stringify(answer.body)).not.toContain('acct_pro')
  expect(world.journal.calls().at(-1)!.reason).toMatch(
    /^id: a plant with the id 101 exists already\. It is "[^"]+" of the account acct_pro\.$/,
  )
})

testApi('plants ignore Idempotency-Key: each request is carried out, whatever the key', async ({ call, world }) => {
  const before = world.records.plants.count()
  for (const [id, key] of [
    [7001, 'one'],
    [7002, 'one'],
    [7003, ''],
    [7004, 'x'.repeat(300)],
  ] as const) {
    const answer = await call('POST', '/plants', { body: { id, name: 'Fern' }, headers: { 'idempotency-key': key } })
    expect([id, answer.status]).toEqual([id, 200])
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  }
  expect(world.records.plants.count()).toBe(before + 4)
})

const fifty = Array.from({ length: 50 }, (_, index) => index)

testApi('of 50 identical creations at once exactly one succeeds', async ({ call }) => {
  for (const id of ['1007', '9223372036854775807']) {
    const answers = await Promise.all(
      fifty.map((index) => call('POST', '/plants', { key: 'key_lite', body: `{"id":${id},"name":"${index}"}` })),
    )
    const created = answers.filter(({ status }) => status === 200)
    expect(created).toHaveLength(1)
    for (const answer of answers) if (answer !== created[0]) expectRefusal(answer, 400)
    expect((await call('GET', '/plants?limit=9', { key: 'key_lite' })).body).toContainEqual(created[0]!.body)
  }
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toHaveLength(2)
})

testApi('of 50 identical deletions at once exactly one succeeds', async ({ call }) => {
  const answers = await Promise.all(fifty.map(() => call('DELETE', '/plants/101')))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(404)])
})
