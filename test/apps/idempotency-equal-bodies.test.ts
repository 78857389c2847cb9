import { expect } from 'vitest'
import { openApp } from '../conversations/chat.ts'
import { testApi } from '../support/test-api.ts'

const create = (key: string, body: string) =>
  ['POST', '/v1/apps', { body, headers: { 'idempotency-key': key } }] as const

testApi('bodies with the same JSON value are equal, whatever the member order or number notation', async ({ call }) => {
  const first = await call(
    ...create('k', '{"name":"x","extra":{"a":1,"b":[1,2.50,1e2]},"big":9007199254740993,"zero":0}'),
  )
  for (const body of [
    '{"zero":0.00000000000000000000,"big":9007199254740993,"extra":{"b":[1.0,2.5,100],"a":1},"name":"x"}',
    '{ "name":"\\u0078", "extra":{"a":1E0,"b":[1,25e-1,100.0]}, "big":9007199254740993.0, "zero":0e-30 }',
  ])
    expect((await call(...create('k', body))).text, body).toBe(first.text)
})

testApi('a different list order, a number as a string or a changed last digit makes another body', async ({ call }) => {
  await call(...create('f', '{"name":"x","big":9007199254740993.4}'))
  const { body } = await call(...create('f', '{"name":"x","big":9007199254740997.4}'))
  expect(body.error?.code).toBe('idempotency_key_reused')
  await call(...create('k', '{"name":"x","list":[1,2],"big":9007199254740993}'))
  for (const body of [
    '{"name":"x","list":[2,1],"big":9007199254740993}',
    '{"name":"x","list":["1",2],"big":9007199254740993}',
    '{"name":"x","list":[1,2],"big":9007199254740992}',
    '{"name":"x","list":[1,2],"big":9007199254740993.4}',
    '{"name":"x","list":[1,2],"big":"9007199254740993"}',
    '{"name":"x","list":[1,2]}',
    '{"name":"x","list":[1,2],"big":9007199254740993,"more":null}',
  ])
    expect((await call(...create('k', body))).body.error?.code, body).toBe('idempotency_key_reused')
})

testApi('a stream is replayed as a stream, and says that it is a replay', async ({ call, send, world }) => {
  const { body } = await call('POST', `/v1/apps/${openApp}/conversations`)
  const say = (text: string) =>
    send(`/v1/apps/${openApp}/conversations/${body.id}/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json', 'idempotency-key': 's' },
      body: text,
    })
  const first = await say('{"content":"Hello","stream":true}')
  const text = await first.text()
  const again = await say('{"stream":true,"content":"Hello"}')
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(await again.text()).toBe(text)
  expect(world.records.messages.find(({ conversation }) => conversation === body.id)).toHaveLength(2)
})

testApi('a page of another origin may read the header of a replay', async ({ call }) => {
  const sent = { body: { name: 'x' }, headers: { origin: 'http://localhost:5173', 'idempotency-key': 'once' } }
  await call('POST', '/v1/apps', sent)
  const { headers } = await call('POST', '/v1/apps', sent)
  expect(headers.get('access-control-expose-headers')).toContain('Idempotent-Replayed')
})
