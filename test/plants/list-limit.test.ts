import { expect } from 'vitest'
import { testApi, type Client } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

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
    'ten',
    'NaN',
    'Infinity',
    'null',
    '',
    '1,2',
    '[1]',
    '１',
  ])
    expectRefusal(await call('GET', `/plants?limit=${limit}`), 400, limit)
})

testApi('the message names the parameter', async ({ call }) => {
  expect((await call('GET', '/plants?limit=ten')).body.message).toMatch(/^limit /)
})

testApi('of several limits the first one counts', async ({ call }) => {
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

testApi('thousands of parameters are read', async ({ call }) => {
  const { status, body } = await call('GET', `/plants?${'a=1&'.repeat(3_000)}limit=2`)
  expect(status).toBe(200)
  expect(body).toHaveLength(2)
})

testApi('a query whose percent-encoding is wrong is refused', async ({ call }) => {
  for (const query of [
    'limit=%zz',
    'limit=%',
    'limit=2%2',
    'limit=%ff',
    'x=%zz&limit=2',
    '%zz',
    'limit=%C0%80',
    'limit=%ED%A0%80',
  ])
    expectRefusal(await call('GET', `/plants?${query}`), 400, query)
})
