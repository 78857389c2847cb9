import { expect, test } from 'vitest'
import { isKnown, SecretFinder, toFingerprint } from '../../src/core/secrets/known-secrets.ts'
import {
  hideBody,
  hideHeader,
  hideParameters,
  isSecretName,
  redact,
  toShownSecret,
} from '../../src/core/secrets/secrets.ts'

/** Reads `<secret>` as the fingerprint of `secret`. */
const shown = (text: string) =>
  text.replace(/<([^>]+)>/g, (_, secret: string) => toFingerprint(secret))

const finders = [new SecretFinder(['abc', 'fern', 'fern-2', 'basil', 'rosemary', 'rosemary-9'])]

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

test.each(texts)('what a Greenhouse knows as secret is hidden in %j', (text, hidden) => {
  expect(redact(text, finders)).toBe(shown(hidden))
})

test('a text is cut after so many characters, and a secret at the cut is hidden whole', () => {
  expect(redact('one rosemary two', finders, 4)).toBe('one …')
  expect(redact('one rosemary two', finders, 5)).toBe(shown('one <rosemary>…'))
  expect(redact('one rosemary', finders, 12)).toBe(shown('one <rosemary>'))
  expect(redact('one two', [], 7)).toBe('one two')
  expect(redact('one two')).toBe('one two')
})

test('the beginning of a long secret is one, too, and a short one is none', () => {
  const long = 'k'.repeat(150)
  const finder = new SecretFinder([long, 'abc'])
  expect(
    [long, long.slice(0, 100), long.slice(0, 99), 'abc'].map((one) => finder.has(one)),
  ).toEqual([true, true, false, false])
  expect(isKnown([new SecretFinder([]), finder], long)).toBe(true)
  expect(isKnown([finder], 'k')).toBe(false)
  expect(finder.fingerprintOf(long)).toBe(toFingerprint(long))
  expect(finder.fingerprintOf(long)).toBe(toFingerprint(long))
  expect(finder.fingerprintOf('other')).toBe(toFingerprint('other'))
  expect(finder.has('other')).toBe(false)
  expect(toShownSecret('fp_0123456789ab', [finder])).toBe('fp_0123456789ab')
  expect(toShownSecret('fp_0123456789abc', [])).toBe(toFingerprint('fp_0123456789abc'))
})

test('a finder has no limit of secrets', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => `secret-${at}-${(at * 7_919) % 3_001}`)
  const finder = new SecretFinder(many)
  expect(redact(many.join(' '), [finder])).toBe(many.map(toFingerprint).join(' '))
})

test('a name says that a value is secret, however it is written', () => {
  const names = `Authorization x-api-key API_KEY apiKey api.key card-number auth[token] user.password
    a[b][pin] X-Session Set-Cookie`
  expect(names.split(/\s+/).filter((name) => !isSecretName(name))).toEqual([])
  const others = 'keys monkey x-request-id token_count auth[name] authx[] pin[a] ax-key'
  expect(others.split(' ').filter(isSecretName)).toEqual([])
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

test.each(headers)('of the header %s: %s, the secret is hidden', (name, value, hidden) => {
  expect(hideHeader(name, value, finders)).toBe(shown(hidden))
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
  (text, hidden) => {
    expect(hideParameters(text, [])).toBe(shown(hidden))
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

const bodies: [text: string, type: string | undefined, hidden: string][] = [
  ['{"token":"one","n":"two"}', undefined, '{"token":"<one>","n":"two"}'],
  [
    '{"pin" : 1234, "otp":-5e3,"sid":true}',
    undefined,
    '{"pin" : "<1234>", "otp":"<-5e3>","sid":true}',
  ],
  ['{"secret":"a\\"b"}', undefined, '{"secret":"<a\\"b>"}'],
  ['{"secret":"cut', undefined, '{"secret":"<cut>'],
  ['{"secret":""}', undefined, '{"secret":""}'],
  ['{"url":"http://a.test/?key=one"}', undefined, '{"url":"http://a.test/?key=<one>"}'],
  ['{"name":"rosemary"}', undefined, '{"name":"<rosemary>"}'],
  ['{"token":"rosemary-9"}', undefined, '{"token":"<rosemary-9>"}'],
  ['{"token":"rosemary x"}', undefined, '{"token":"<rosemary x>"}'],
  ['{"token":"x rosemary"}', undefined, '{"token":"<x rosemary>"}'],
  ['token=one&a=2', 'application/x-www-form-urlencoded', 'token=<one>&a=2'],
  [form, 'multipart/form-data; boundary=b', form.replace('one', '<one>')],
  [form, undefined, form],
  ['name="token"\r\n\r\none', 'multipart/form-data', 'name="token"\r\n\r\n<one>'],
  ['name="token"', 'multipart/form-data', 'name="token"'],
]

test.each(bodies)('of the body %j (%s), secret fields are hidden', (text, type, hidden) => {
  expect(hideBody(text, type, finders)).toBe(shown(hidden))
})

test('of a body that is shown in part, a secret at the end is whole, and none follows', () => {
  const text = '{"a":1,"token":"one","pin":"two"}'
  const begin = text.indexOf('one')
  expect(hideBody(text, undefined, [], begin)).toBe('{"a":1,"token":"')
  expect(hideBody(text, undefined, [], begin + 1)).toBe(shown('{"a":1,"token":"<one>'))
})
