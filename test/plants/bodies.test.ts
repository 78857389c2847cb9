import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { expectRefusal, json, post } from './helpers.ts'

const notJson = [
  ['', ' ', '\n', '{', '}', '[', ']', '{}}', '{{}}', '{]', '"', '"x', "'x'", ',', ':', '-', '+1', '.5', '1.'],
  ['01', '0x10', '1e', '1_000', '--1', 'nul', 'NULL', 'True', 'undefined', 'NaN', 'Infinity', '-Infinity'],
  ['1n', 'name=Ficus&id=1007', '<plant/>', 'id: 1007', '\0', '\u00a0{}', '\u2028{}', '{id:1007,"name":"x"}'],
  ["{'id':1007}", '{"id":1007,}', '{,"id":1007}', '{"id" 1007}', '{"id":}', '{"id"}'],
  ['{"id":1007 "name":"x"}', '{"id":1007;"name":"x"}', '{"id":1007,"name":"x"} x', '{"id":1007,"name":"x"}{}'],
  ['{"id":1007,"name":"x"}\0', '{"id":1007,"name":"x"},', '{"id":1007,"name":"x"', '{"id":1007,"name":"x}'],
  ['{"id":1007,/* c */"name":"x"}', '{"id":1007,"name":"x"}// c', '{"id":1007,"name":"a\nb"}'],
  ['{"id":1007,"name":"a\tb"}', '{"id":1007,"name":"a\u0000b"}', '{"id":1007,"name":"\\x41"}'],
  ['{"id":1007,"name":"\\u12"}', '{"id":1007,"name":"\\u{41}"}', '{"id":1007,"name":"\\"}'],
  ['{"id":01007,"name":"x"}', '{"id":+1007,"name":"x"}', '{"id":0x3ef,"name":"x"}', '{"id":1007n,"name":"x"}'],
  ['{"id":NaN,"name":"x"}', '{"id":1.,"name":"x"}', '{"id":.5,"name":"x"}', '{"id":1e,"name":"x"}'],
  ['{"id":- 1,"name":"x"}'],
  // With a huge integer, which takes another way through the parser.
  ['{"id":9223372036854775807', '{"id":9223372036854775807,}', '{"id":9223372036854775807,"name":"\\u12"}'],
  ['{"id":09223372036854775807,"name":"x"}', '9223372036854775807x'],
].flat()

const notAnObject = [
  ['null', 'true', 'false', '0', '1007', '-1.5', '1e400', '9223372036854775807', '""', '"Ficus"', '"{}"', '[]'],
  ['[{"id":1007,"name":"Ficus"}]', '[[]]'],
].flat()

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

const plant = (id: number) => `{"id":${id},"name":"Ficus"}`

const refused = [
  ['text/plain', 'text/plain;charset=UTF-8', 'application/x-www-form-urlencoded'],
  ['multipart/form-data; boundary=x', 'application/octet-stream', 'application/xml', 'text/json'],
  ['application/json5', 'application/problem+json', 'application/vnd.api+json', 'application', 'json', '*/*'],
  ['application/*', 'application/jsonx', '', 'application/json; charset=latin1'],
  ['application/json; charset=utf-16', 'application/json; charset="iso-8859-1"'],
  ['application/json;charset=us-ascii', 'application/json, text/plain', 'text/plain, application/json'],
].flat()

const accepted = [
  ['application/json', 'Application/JSON', 'application/json;charset=utf-8', 'application/json; charset=UTF-8'],
  ['application/json; charset="utf-8"', 'application/json; charset=utf8', 'application/json ;  charset = utf-8 '],
  ['application/json;', 'application/json; profile=x', 'application/json; profile=x; charset=utf-8'],
].flat()

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

function plantOf(id: number, bytes: number): string {
  const frame = `{"id":${id},"name":""}`
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
}

testApi('a body of 1 MiB is read, one of a byte more is not', async ({ send, call }) => {
  const { status, body } = await post(send, plantOf(1007, 2 ** 20))
  expect(status).toBe(200)
  expect(body.name.length).toBeGreaterThan(2 ** 20 - 100)
  expectRefusal(await post(send, plantOf(1008, 2 ** 20 + 1)), 413)
  expect((await call('DELETE', '/plants/1008')).status).toBe(404)
})

testApi('the limit of the body can be set', { bodyLimit: 100 }, async ({ send }) => {
  expect((await post(send, plantOf(1007, 100))).status).toBe(200)
  expectRefusal(await post(send, plantOf(1008, 101)), 413)
  expectRefusal(await post(send, plantOf(1008, 200_000)), 413)
  expect((await post(send, plantOf(1008, 99))).status).toBe(200)
})

testApi('the limit counts bytes, not characters', { bodyLimit: 100 }, async ({ send }) => {
  expectRefusal(await post(send, `{"id":1007,"name":"${'ü'.repeat(60)}"}`), 413)
  expect((await post(send, `{"id":1007,"name":"${'u'.repeat(60)}"}`)).status).toBe(200)
})

testApi('a body that comes in parts without a length is counted too', { bodyLimit: 100 }, async ({ send }) => {
  const inParts = async (body: string) => {
    const { status } = await send('/plants', {
      method: 'POST',
      headers: { authorization: 'Bearer key_pro', 'content-type': 'application/json' },
      body: new Blob([body.slice(0, 40), body.slice(40)]).stream(),
      duplex: 'half',
    } as RequestInit)
    return status
  }
  expect(await inParts(plantOf(1007, 100))).toBe(200)
  expect(await inParts(plantOf(1008, 101))).toBe(413)
})

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

const plantNamed = (...bytes: number[]) =>
  new Uint8Array([...Buffer.from('{"id":1007,"name":"'), ...bytes, ...Buffer.from('"}')])

const invalid: Record<string, number[]> = {
  'a byte that never occurs': [0xff],
  'a continuation without a start': [0x80],
  'a start without a continuation': [0xc3],
  'an overlong slash': [0xc0, 0xaf],
  'an overlong NUL': [0xc0, 0x80],
  'a surrogate': [0xed, 0xa0, 0x80],
  'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'Latin-1': [0x4d, 0xfc, 0x6c, 0x6c],
}

testApi('a body that is not UTF-8 is refused', async ({ send, world }) => {
  for (const [what, bytes] of Object.entries(invalid)) expectRefusal(await post(send, plantNamed(...bytes)), 400, what)
  expectRefusal(await post(send, new Uint8Array(Buffer.from('{"id":1007,"name":"Ficus"}', 'utf16le'))), 400, 'UTF-16')
  expect(world.records.plants.count()).toBe(30)
})

testApi('a body may begin with a byte order mark', async ({ send }) => {
  expect((await post(send, '\ufeff{"id":1007,"name":"Ficus"}')).body).toEqual({ name: 'Ficus' })
  expectRefusal(await post(send, '\ufeff'), 400)
  expectRefusal(await post(send, '\ufeff\ufeff{"id":1008,"name":"Ficus"}'), 400)
})

testApi('a length is counted in bytes', async ({ send }) => {
  const { headers, body } = await post(send, '{"id":1007,"name":"桜 \u{1F331}"}')
  expect(body).toEqual({ name: '桜 \u{1F331}' })
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength('{"name":"桜 \u{1F331}"}')))
})

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
