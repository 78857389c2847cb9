import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { post } from './post.ts'
import { expectRefusal } from './refusal.ts'

const notJson = [
  '',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  ']',
  '{}}',
  '{{}}',
  '{]',
  '"',
  '"x',
  "'x'",
  ',',
  ':',
  '-',
  '+1',
  '.5',
  '1.',
  '01',
  '0x10',
  '1e',
  '1_000',
  '--1',
  'nul',
  'NULL',
  'True',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '1n',
  'name=Ficus&id=1007',
  '<plant/>',
  'id: 1007',
  '\0',
  '\u00a0{}',
  '\u2028{}',
  '{id:1007,"name":"x"}',
  "{'id':1007}",
  '{"id":1007,}',
  '{,"id":1007}',
  '{"id" 1007}',
  '{"id":}',
  '{"id"}',
  '{"id":1007 "name":"x"}',
  '{"id":1007;"name":"x"}',
  '{"id":1007,"name":"x"} x',
  '{"id":1007,"name":"x"}{}',
  '{"id":1007,"name":"x"}\0',
  '{"id":1007,"name":"x"},',
  '{"id":1007,"name":"x"',
  '{"id":1007,"name":"x}',
  '{"id":1007,/* c */"name":"x"}',
  '{"id":1007,"name":"x"}// c',
  '{"id":1007,"name":"a\nb"}',
  '{"id":1007,"name":"a\tb"}',
  '{"id":1007,"name":"a\u0000b"}',
  '{"id":1007,"name":"\\x41"}',
  '{"id":1007,"name":"\\u12"}',
  '{"id":1007,"name":"\\u{41}"}',
  '{"id":1007,"name":"\\"}',
  '{"id":01007,"name":"x"}',
  '{"id":+1007,"name":"x"}',
  '{"id":0x3ef,"name":"x"}',
  '{"id":1007n,"name":"x"}',
  '{"id":NaN,"name":"x"}',
  '{"id":1.,"name":"x"}',
  '{"id":.5,"name":"x"}',
  '{"id":1e,"name":"x"}',
  '{"id":- 1,"name":"x"}',
  // With a huge integer, which takes another way through the parser.
  '{"id":9223372036854775807',
  '{"id":9223372036854775807,}',
  '{"id":9223372036854775807,"name":"\\u12"}',
  '{"id":09223372036854775807,"name":"x"}',
  '9223372036854775807x',
]

const notAnObject = [
  'null',
  'true',
  'false',
  '0',
  '1007',
  '-1.5',
  '1e400',
  '9223372036854775807',
  '""',
  '"Ficus"',
  '"{}"',
  '[]',
  '[{"id":1007,"name":"Ficus"}]',
  '[[]]',
]

testApi('a body that is not JSON is refused', async ({ send, call, world }) => {
  for (const body of notJson) expectRefusal(await post(send, body), 400, JSON.stringify(body))
  expect(world.records.plants.count()).toBe(30)
  expect((await call('POST', '/plants', { body: { id: 1007, name: 'Ficus' } })).status).toBe(200)
})

testApi('JSON that is not an object is refused', async ({ send, world }) => {
  for (const body of notAnObject) expectRefusal(await post(send, body), 400, body)
  expect(world.records.plants.count()).toBe(30)
})

testApi('a missing body is refused', async ({ call, send }) => {
  expectRefusal(await call('POST', '/plants'), 400)
  expectRefusal(await post(send, undefined, {}), 400)
  expect((await post(send, undefined)).body.message).toMatch(/body is missing/)
})

testApi('whitespace around and inside of JSON does not matter', async ({ send }) => {
  expect((await post(send, ' \t\r\n{ "id" : 1007 ,\n"name"\t:"Ficus" } \r\n')).status).toBe(200)
})

testApi('of two fields of the same name the last one counts', async ({ send, call }) => {
  expect((await post(send, '{"id":1007,"id":1008,"name":"first","name":"last"}')).body).toEqual({ name: 'last' })
  expect(
    (await post(send, '{"id":9223372036854775806,"id":9223372036854775807,"name":"first","name":"last"}')).body,
  ).toEqual({ name: 'last' })
  expect((await call('DELETE', '/plants/1007')).status).toBe(404)
  expect((await call('DELETE', '/plants/1008')).status).toBe(204)
  expect((await call('DELETE', '/plants/9223372036854775806')).status).toBe(404)
  expect((await call('DELETE', '/plants/9223372036854775807')).status).toBe(204)
})
