import { expect, test } from 'vitest'
import { toFingerprint } from '../support/fingerprint.ts'
import { type CallOptions, open } from '../support/test-api.ts'

/** Reads `<secret>` as the fingerprint of `secret`. */
const shown = (text: string) =>
  text.replace(/<([^>]+)>/g, (_, secret: string) => toFingerprint(secret))

const keys = ['abc', 'fern', 'fern-2', 'basil', 'rosemary', 'rosemary-9']

/** The journal's entry of a request, in a world with these keys. */
async function journaled(options: CallOptions, secrets = keys) {
  const { world, call } = open()
  for (const secret of secrets) world.records.keys.create({ secret, account: 'acct_pro' })
  await call('POST', '/plants', { key: null, ...options })
  return world.journal.calls()[0]!.request
}

const readBody = async (body: string, type = 'text/plain', secrets = keys) =>
  (await journaled({ body, headers: { 'content-type': type } }, secrets)).body

const texts: [text: string, hidden: string][] = [
  ['abc fern basil rosemary', 'abc <fern> <basil> <rosemary>'],
  ['ferns fern_ 1fern -fern- fern', 'ferns fern_ 1fern -<fern>- <fern>'],
  ['xrosemaryx fern-2x', 'x<rosemary>x <fern-2>x'],
  ['fern-2 fern-3', '<fern-2> <fern>-3'],
  ['rosemary-9 rosemary-', '<rosemary-9> <rosemary>-'],
  ['rosemar', 'rosemar'],
  ['basilbasil basi', 'basilbasil basi'],
  ['rosemaryrosemary', '<rosemary><rosemary>'],
  ['%72osemary r%6fsemar%79!', '<rosemary> <rosemary>!'],
  ['%2572osemary %252572osemary', '<rosemary> <rosemary>'],
  ['%25252572osemary', '%25252572osemary'],
  ['\\u0072osemary "\\"fern\\""', '<rosemary> "\\"<fern>\\""'],
  ['%zz fern %', '%zz <fern> %'],
]

test.each(texts)('what a Greenhouse knows as secret is hidden in %j', async (text, hidden) => {
  expect(await readBody(text)).toBe(shown(hidden))
})

test('the beginning of a long secret is one, too, and a short one is none', async () => {
  const long = 'k'.repeat(150)
  const read = (text: string) => readBody(text, 'text/plain', [long, 'abc', 'other'])
  expect(await read(`${long}! abc`)).toBe(`${toFingerprint(long)}! abc`)
  expect(await read(`${long.slice(0, 100)}! k`)).toBe(`${toFingerprint(long.slice(0, 100))}! k`)
  expect(await read(`${long.slice(0, 99)}!`)).toBe(`${long.slice(0, 99)}!`)
  expect(await read('{"token":"fp_0123456789ab"}')).toBe('{"token":"fp_0123456789ab"}')
  expect(await read('{"token":"fp_0123456789abc"}')).toBe(shown('{"token":"<fp_0123456789abc>"}'))
})

test('a finder has no limit of secrets', async () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `secret-${at}-${(at * 7_919) % 3_001}`)
  for (const some of [many.slice(0, 50), many.slice(-50)])
    expect(await readBody(some.join(' '), 'text/plain', many)).toBe(
      some.map(toFingerprint).join(' '),
    )
})

test('a name says that a value is secret, however it is written', async () => {
  const names = `Authorization x-api-key API_KEY apiKey api.key card-number auth[token] user.password
    a[b][pin] X-Session Set-Cookie`
  for (const name of names.split(/\s+/))
    expect(await readBody(`{"${name}":"one"}`)).toBe(shown(`{"${name}":"<one>"}`))
  const others = 'keys monkey x-request-id token_count auth[name] authx[] pin[a] ax-key api_kx-ey'
  for (const name of others.split(' '))
    expect(await readBody(`{"${name}":"one"}`)).toBe(`{"${name}":"one"}`)
})

const headers: [name: string, value: string, hidden: string][] = [
  ['authorization', 'Bearer one two', 'Bearer <one two>'],
  ['authorization', 'Bearer  one', 'Bearer  <one>'],
  ['authorization', 'Bearer', '<Bearer>'],
  ['proxy-authorization', 'one', '<one>'],
  ['x-api-key', 'Basic b25l', 'Basic <b25l>'],
  ['x-api-key', 'Token x', 'Token <x>'],
  ['x-api-key', 'ApiKey x', 'ApiKey <x>'],
  ['authorization', 'Digest x', 'Digest <x>'],
  ['authorization', 'Negotiate x', 'Negotiate <x>'],
  ['authorization', 'Other x', '<Other x>'],
  ['authorization', 'key_pro@checkout', '<key_pro>'],
  ['x-auth', '', ''],
  ['cookie', 'theme=dark; sid=a=b;alone;empty=', 'theme=<dark>; sid=<a=b>;<alone>;empty='],
  ['set-cookie', 'sid=one; Path=/; HttpOnly', 'sid=<one>; Path=/; HttpOnly'],
  ['x-request-id', 'rosemary', '<rosemary>'],
  ['referer', 'http://a.test/?token=one&b=2', 'http://a.test/?token=<one>&b=2'],
]

test.each(headers)('of the header %s: %s, the secret is hidden', async (name, value, hidden) => {
  const { headers } = await journaled({ headers: { [name]: value } })
  expect(headers[name]).toBe(shown(hidden))
})

const parameters: [text: string, hidden: string][] = [
  ['token=one&limit=3', 'token=<one>&limit=3'],
  ['a=1&b[password]=t%77o#key=x;pin=5', 'a=1&b[password]=<two>#key=<x>;pin=<5>'],
  ['http://a.test/p?api_key=one#token=two', 'http://a.test/p?api_key=<one>#token=<two>'],
  ['%74oken=one', '%74oken=<one>'],
  ['%zztoken=one&to%ken=one', '%zztoken=one&to%ken=one'],
  ['token= token=x', 'token= token=x'],
  ['key', 'key'],
  ['q="token=one"&token=a"b', 'q="token=one"&token=<a>"b'],
]

test.each(parameters)(
  'of the parameters %s, those with secret names are hidden',
  async (text, hidden) => {
    expect((await journaled({ headers: { 'x-note': text } })).headers['x-note']).toBe(shown(hidden))
  },
)

const form = [
  '--b',
  'Content-Disposition: form-data; name="token"',
  '',
  'one',
  '--b',
  'Content-Disposition: form-data; name="title"',
  '',
  'two',
  '--b',
  'Content-Disposition: form-data; name="pin"',
  '',
  '',
  '--b--',
].join('\r\n')

const bodies: [text: string, type: string, hidden: string][] = [
  ['{"token":"one","n":"two"}', 'application/json', '{"token":"<one>","n":"two"}'],
  [
    '{"pin" : 1234, "otp":-5e3,"sid":true}',
    'application/json',
    '{"pin" : "<1234>", "otp":"<-5e3>","sid":true}',
  ],
  ['{"secret":"a\\"b"}', 'application/json', '{"secret":"<a\\"b>"}'],
  ['{"secret":"cut', 'application/json', '{"secret":"<cut>'],
  ['{"secret":""}', 'application/json', '{"secret":""}'],
  ['{"url":"http://a.test/?key=one"}', 'application/json', '{"url":"http://a.test/?key=<one>"}'],
  ['{"name":"rosemary"}', 'application/json', '{"name":"<rosemary>"}'],
  ['{"token":"rosemary-9"}', 'application/json', '{"token":"<rosemary-9>"}'],
  ['{"token":"rosemary x"}', 'application/json', '{"token":"<rosemary x>"}'],
  ['{"token":"x rosemary"}', 'application/json', '{"token":"<x rosemary>"}'],
  ['token=one&a=2', 'application/x-www-form-urlencoded', 'token=<one>&a=2'],
  [form, 'multipart/form-data; boundary=b', form.replace('one', '<one>')],
  [form, 'application/json', form],
  ['name="token"\r\n\r\none', 'multipart/form-data', 'name="token"\r\n\r\n<one>'],
  ['name="token"', 'multipart/form-data', 'name="token"'],
]

test.each(bodies)('of the body %j (%s), secret fields are hidden', async (text, type, hidden) => {
  expect(await readBody(text, type)).toBe(shown(hidden))
})

/** The journal shows this many characters of a body. */
const shownLength = 65_536

test.each([
  [0, 'no part of it'],
  [1, 'it whole'],
])('a body that is cut %s characters behind the start of a secret shows %s', async (behind) => {
  const start = '{"a":"'
  const member = '","token":"'
  const filler = 'x'.repeat(shownLength - behind - start.length - member.length)
  const body = await readBody(`${start}${filler}${member}one","pin":"two"}`, 'application/json')
  expect(body).toBe(shown(`${start}${filler}${member}${behind > 0 ? '<one>' : ''}`))
})
