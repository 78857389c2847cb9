import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { post } from './post.ts'
import { expectRefusal } from './refusal.ts'

const names =
  '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":{"polluted":3},"toString":4,"hasOwnProperty":5,"toJSON":6,"then":7'
const bodies = [`{"id":1007,"name":"Ficus",${names}}`, `{"id":9223372036854775807,"name":"Ficus",${names}}`]
const untouched = Object.getOwnPropertyNames(Object.prototype).sort()

testApi('names of the prototype chain in a body are data that nobody asked for', async ({ send, call }) => {
  for (const body of bodies) expect((await post(send, body)).text).toBe('{"name":"Ficus"}')
  expect((await call('GET', '/plants?limit=1')).body).toEqual([{ name: 'Lavandula angustifolia', tag: 'herb' }])
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(untouched)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

testApi('a field is not inherited from __proto__', async ({ send }) => {
  for (const body of [
    '{"__proto__":{"id":1007,"name":"Ficus"}}',
    '{"id":1007,"__proto__":{"name":"Ficus"}}',
    '{"id":9223372036854775807,"__proto__":{"name":"Ficus"}}',
  ])
    expectRefusal(await post(send, body), 400, body)
  expect((await post(send, '{"id":1007,"name":"Ficus","__proto__":{"tag":"tree"}}')).body).toEqual({ name: 'Ficus' })
})

testApi(
  'names of the prototype chain are kept as data where unknown fields are kept',
  { assumptions: { 'plants.create.unknown-fields': 'keep' } },
  async ({ send, call }) => {
    for (const body of bodies) {
      const { text } = await post(send, body)
      expect(text).toBe(`{${names},"name":"Ficus"}`)
      expect((await call('GET', '/plants')).text).toContain(text)
    }
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(untouched)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  },
)

testApi(
  'names of the prototype chain are refused where unknown fields are refused',
  { assumptions: { 'plants.create.unknown-fields': 'reject' } },
  async ({ send }) => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString'])
      expectRefusal(await post(send, `{"id":1007,"name":"Ficus","${name}":1}`), 400, name)
  },
)
