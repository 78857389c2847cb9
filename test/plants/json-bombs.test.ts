import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { post } from './post.ts'
import { expectRefusal } from './refusal.ts'

/** A plant of that depth as a whole: its own object is the first level. */
const nested = (id: number, depth: number, open: string, close: string) =>
  `{"id":${id},"name":"Ficus","more":${open.repeat(depth - 1)}0${close.repeat(depth - 1)}}`

testApi('a body may be nested 100 deep and no deeper', async ({ send }) => {
  expect((await post(send, nested(1007, 100, '[', ']'))).status).toBe(200)
  expect((await post(send, nested(1008, 100, '{"a":', '}'))).status).toBe(200)
  for (const depth of [101, 5_000, 50_000]) {
    expectRefusal(await post(send, nested(1009, depth, '[', ']')), 400, `${depth} arrays`)
    expectRefusal(await post(send, nested(1009, depth, '{"a":', '}')), 400, `${depth} objects`)
  }
  expectRefusal(await post(send, '['.repeat(50_000)), 400, 'never closed')
})

testApi('brackets inside of a text are no nesting', async ({ send }) => {
  for (const [index, name] of ['['.repeat(500), '\\"['.repeat(500), '\\\\\\"{'.repeat(500)].entries()) {
    const { status, body } = await post(send, `{"id":${1007 + index},"name":"${name}"}`)
    expect(status).toBe(200)
    expect(body).toEqual({ name: JSON.parse(`"${name}"`) })
  }
})

testApi('siblings are no nesting', async ({ send }) => {
  expect((await post(send, `{"id":1007,"name":"Ficus","more":[${'[],'.repeat(500)}{}]}`)).status).toBe(200)
})

testApi('an integer of a million digits is refused wherever it stands', async ({ send, call }) => {
  const million = '7'.repeat(1_000_000)
  for (const body of [
    `{"id":${million},"name":"Ficus"}`,
    `{"id":-${million},"name":"Ficus"}`,
    `{"id":1007,"name":${million}}`,
    `{"id":1007,"name":"Ficus","more":${million}}`,
    million,
  ])
    expectRefusal(await post(send, body), 400, body.slice(0, 40))
  expect((await call('POST', '/plants', { body: { id: 1007, name: 'Ficus' } })).status).toBe(200)
})

testApi('a million digits are fine as a text', async ({ send }) => {
  expect((await post(send, `{"id":1007,"name":"${'7'.repeat(1_000_000)}"}`)).body.name).toHaveLength(1_000_000)
})

testApi('an integer has at most 20 characters, wherever it stands', async ({ send }) => {
  const create = (integer: string) => post(send, `{"id":7001,"name":"Fern","unknown":${integer}}`)
  for (const integer of ['9'.repeat(21), `-${'9'.repeat(20)}`]) {
    const refused = await create(integer)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('an integer of more than 20 characters')
  }
  expect((await create('9'.repeat(20))).status).toBe(200)
})
