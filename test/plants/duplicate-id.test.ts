import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal } from './refusal.ts'

testApi('an id that exists is refused and the first plant stays', async ({ call }) => {
  await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'first' } })
  const answer = await call('POST', '/plants', { key: 'key_lite', body: { id: 1007, name: 'second' } })
  expectRefusal(answer, 400)
  expect(answer.body.message).toContain('1007')
  expect((await call('GET', '/plants', { key: 'key_lite' })).body).toEqual([{ name: 'first' }])
})

testApi('an id is the same however it is written', async ({ call }) => {
  for (const [first, ...others] of [
    ['1000', '1000.0', '1e3', '10e2'],
    ['0', '-0', '0.0', '-0e5'],
    ['9007199254740993', '9007199254740993'],
    ['9223372036854775807', '9223372036854775807'],
  ]) {
    await call('POST', '/plants', { body: `{"id":${first},"name":"first"}` })
    for (const id of others)
      expectRefusal(await call('POST', '/plants', { body: `{"id":${id},"name":"second"}` }), 400, `${first} and ${id}`)
  }
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
