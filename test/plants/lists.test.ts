import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Client, open, testApi } from '../support/test-api.ts'
import { times } from '../support/soak.ts'
import { expectRefusal } from './helpers.ts'

testApi(
  'a list is a JSON array of the plants of the caller, name and tag each',
  async ({ call }) => {
    const { status, headers, body } = await call('GET', '/plants', { key: 'key_pro_plus' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body).toEqual([
      { name: 'Paphiopedilum rothschildianum', tag: 'orchid' },
      { name: 'Nepenthes rajah', tag: 'carnivorous' },
      { name: 'Amorphophallus titanum', tag: 'flowering' },
      { name: 'Wollemia nobilis', tag: 'tree' },
    ])
  },
)

async function expectCounts(call: Client['call'], counts: Record<string, number>): Promise<void> {
  for (const [query, count] of Object.entries(counts)) {
    const { status, body } = await call('GET', `/plants?${query}`, { key: 'key_free' })
    expect(status, query).toBe(200)
    expect(body, query).toHaveLength(count)
  }
}

testApi('a limit is a whole number up to the largest int32', ({ call }) =>
  expectCounts(call, {
    'limit=0': 0,
    'limit=1': 1,
    'limit=11': 11,
    'limit=12': 12,
    'limit=13': 12,
    'limit=2147483647': 12,
  }),
)

testApi('a limit that is none is refused', async ({ call }) => {
  for (const limit of [
    [
      '2147483648',
      '-2147483648',
      '9223372036854775807',
      '9'.repeat(400),
      '-1',
      '-0',
      '1.5',
      '1.0',
      '1e1',
      '0x1',
    ],
    ['ten', 'NaN', 'Infinity', 'null', '', '1,2', '[1]', '１'],
  ].flat())
    expectRefusal(await call('GET', `/plants?limit=${limit}`), 400, limit)
})

testApi('the first of several limits counts', async ({ call }) => {
  await expectCounts(call, { 'limit=2&limit=5': 2, 'limit=5&limit=2': 5, 'limit=2&limit=ten': 2 })
  expectRefusal(await call('GET', '/plants?limit=ten&limit=2'), 400)
})

testApi('the query is percent-decoded, and a plus is a space', async ({ call }) => {
  await expectCounts(call, { 'limit=%32': 2, 'l%69mit=2': 2, 'limit=%31%30': 10 })
  for (const limit of ['+2', '2+', '%2B2', '%202', '2%0A', '2%00', '%EF%BC%92'])
    expectRefusal(await call('GET', `/plants?limit=${limit}`), 400, limit)
})

testApi('other parameters change nothing', ({ call }) =>
  expectCounts(call, {
    'max=2': 12,
    'Limit=2': 12,
    'limit[]=2': 12,
    'offset=2': 12,
    '': 12,
    '&&': 12,
    '=2': 12,
    'x=1&limit=2': 2,
    '__proto__=1&constructor=2': 12,
  }),
)

testApi('a query whose percent-encoding is wrong is refused', async ({ call }) => {
  for (const query of 'limit=%zz limit=% limit=2%2 limit=%ff x=%zz&limit=2 %zz limit=%C0%80 limit=%ED%A0%80'.split(
    ' ',
  ))
    expectRefusal(await call('GET', `/plants?${query}`), 400, query)
})

testApi('a list over 8 MiB is refused, and says how to ask for less', async ({ world, call }) => {
  for (let id = 901; id <= 908; id++)
    world.records.plants.create({ id, account: 'acct_pro', name: 'é'.repeat(530_000), tag: 'long' })
  const { status, body } = await call('GET', '/plants')
  expect({ status, body }).toEqual({
    status: 400,
    body: {
      error: 400,
      message: 'The list would be longer than 8 MiB. Ask for fewer plants with limit.',
    },
  })
  world.assume('plants.list.limit-name', 'max')
  expect((await call('GET', '/plants')).body.message).toContain('fewer plants with max.')
  world.assume('plants.list.order', 'newest')
  expect((await call('GET', '/plants?max=7')).body).toHaveLength(7)
  world.records.plants.delete(908)
  expect((await call('GET', '/plants')).status).toBe(200)
  const { text } = await call('GET', '/plants?max=7')
  const name = 'x'.repeat(2 ** 23 - Buffer.byteLength(text + ',{"name":""}'))
  world.records.plants.create({ id: 909, account: 'acct_pro', name })
  expect((await call('GET', '/plants?max=8')).status).toBe(200)
  world.records.plants.update(909, { name: name + 'x' })
  expect((await call('GET', '/plants?max=8')).status).toBe(400)
})

testApi('a single plant is listed, however long its name is', async ({ world, call }) => {
  world.assume('plants.list.order', 'newest')
  world.records.plants.create({ id: 901, account: 'acct_pro', name: 'x'.repeat(9 * 2 ** 20) })
  expect((await call('GET', '/plants?limit=1')).status).toBe(200)
  expect((await call('GET', '/plants')).status).toBe(400)
})

test('lists by id begin with the lowest ids, whatever the limit, the sign and the size of ids', async () => {
  const { call, world } = open({
    assumptions: { 'plants.list.order': 'id', 'plants.body.includes-id': 'yes' },
  })
  const id = fc.oneof(
    fc.integer({ min: -40, max: 40 }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(id, { maxLength: 60, selector: BigInt }),
      fc.integer({ min: 0, max: 70 }),
      async (ids, limit) => {
        const account = 'acct_pro'
        world.records.plants.replace(ids.map((id) => ({ id, name: String(id), account })))
        const { body } = await call('GET', `/plants?limit=${limit}`)
        const inOrder = ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))
        expect(body.map(({ name }: { name: string }) => name)).toEqual(
          inOrder.slice(0, limit).map(String),
        )
      },
    ),
    { numRuns: times(60, 20) },
  )
})
