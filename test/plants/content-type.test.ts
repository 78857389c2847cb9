import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { json, post } from './post.ts'
import { expectRefusal } from './refusal.ts'

const plant = (id: number) => `{"id":${id},"name":"Ficus"}`

const refused = [
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/xml',
  'text/json',
  'application/json5',
  'application/problem+json',
  'application/vnd.api+json',
  'application',
  'json',
  '*/*',
  'application/*',
  'application/jsonx',
  '',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'application/json; charset="iso-8859-1"',
  'application/json;charset=us-ascii',
  'application/json, text/plain',
  'text/plain, application/json',
]

const accepted = [
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json; charset=utf8',
  'application/json ;  charset = utf-8 ',
  'application/json;',
  'application/json; profile=x',
  'application/json; profile=x; charset=utf-8',
]

testApi('a body of another type or charset than JSON in UTF-8 is refused', async ({ send, world }) => {
  for (const type of refused) expectRefusal(await post(send, plant(1007), { 'content-type': type }), 400, type)
  expect(world.records.plants.count()).toBe(30)
})

testApi('a body of no type is refused', async ({ send }) => {
  expectRefusal(await post(send, plant(1007), {}), 400)
})

testApi('JSON in UTF-8 may be declared in every way that HTTP knows', async ({ send }) => {
  for (const [index, type] of accepted.entries())
    expect((await post(send, plant(1000 + index), { 'content-type': type })).status, type).toBe(200)
})

testApi('a compressed body is refused', async ({ send, world }) => {
  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'x-gzip', 'nonsense', 'identity, gzip'])
    expectRefusal(await post(send, plant(1007), { ...json, 'content-encoding': encoding }), 415, encoding)
  expect(world.records.plants.count()).toBe(30)
})

testApi('the Content-Encoding identity is none', async ({ send }) => {
  expect((await post(send, plant(1007), { ...json, 'content-encoding': 'identity' })).status).toBe(200)
  expect((await post(send, plant(1008), { ...json, 'content-encoding': 'Identity' })).status).toBe(200)
})
