import { expect } from 'vitest'
import { testApi } from '../support/test-api.ts'
import { post } from './post.ts'
import { expectRefusal } from './refusal.ts'

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
