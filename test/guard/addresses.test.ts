import { expect, test } from 'vitest'
import { isPlainKey } from '../../src/core/accounts/accounts.ts'
import { prefixOfWorld, splitWorld } from '../../src/core/http/address.ts'
import {
  decodeUnreserved,
  headerOf,
  headerText,
  joinTarget,
  splitTarget,
  toSecret,
  withoutTrailingSlashes,
} from '../../src/core/http/request.ts'
import { keyIn, withoutWorld } from '../../src/core/text/world-key.ts'
import {
  isControlTarget,
  isHostName,
  isLoopbackAddress,
  isLoopbackHost,
  isLoopbackOrigin,
  isOrigin,
  isWrittenHost,
  mayLeadToControl,
  readTarget,
  toClientUrl,
  toServerBases,
} from '../../src/core/http/urls.ts'

/** What a question says of texts: yes to the first ones, no to the others. */
const answers: [question: (text: string) => boolean, yes: string, no: string][] = [
  [
    isLoopbackAddress,
    '127.0.0.1 127.255.255.255 127.9.10.199 127.245.250.2 ::1 [::1] ::ffff:127.0.0.1 ::FFFF:127.0.0.1 ::ffff:7f00:1 [::ffff:7fff:ffff]',
    '128.0.0.1 126.0.0.1 127.0.0.256 127.0.0.01 127.0.0 127.0.0.1.1 x127.0.0.1 127.0.0.1x ::2 ::11 x::1 [::1 localhost ::ffff:8000:1 ::ffff:7f000:1 ::ffff:7f00:12345 x::ffff:7f00:1 ::ffff:7f00:1x 1270.0.1',
  ],
  [isLoopbackHost, 'localhost LOCALHOST 127.0.0.1 [::1]', 'localhost.test xlocalhost a.test'],
  [
    isLoopbackOrigin,
    'http://localhost https://localhost:5173 HTTP://LOCALHOST:1 http://[::1]:80 http://127.0.0.1:12345',
    'ftp://localhost localhost http://localhost:123456 http://localhost: http://localhost:x http://a.test http://localhost.a.test http://localhost/ http://a.test://localhost http://[::1]x null xhttp://localhost httpss://localhost',
  ],
  [
    isWrittenHost,
    'localhost a.test A.test 127.0.0.1 ::1 [::1] a-b.test',
    '2130706433 ex%61mple a.test:80 a.test:8080 a/b a?b a#b a@b a\\b a*b [::1]:80 0127.0.0.1 [0:0:0:0:0:0:0:1] x:y',
  ],
  [
    isHostName,
    `localhost a.test .a.test a_b-c.9 ${'x'.repeat(63)}.test`,
    `${'x'.repeat(64)}.test a..test a.test. ..a a/b a:1 a.te*st`,
  ],
  [
    isOrigin,
    'http://localhost:5173 https://a.test capacitor://localhost tauri+x-1.0://a',
    'http://a.test/ http://a.test:80 https://a.test:443 HTTP://a.test http://A.test a.test http:// http://a.test/x http://a.test?x http://a.test#x http://u@a.test http://*.a.test 1x://a xhttp//a.test null',
  ],
  [
    isControlTarget,
    '/__greenhouse /__greenhouse/ /__greenhouse?x /__greenhouse#x http://a.test/__greenhouse/x a+b.c-1://h/__greenhouse',
    '/ /plants /__greenhouses /_greenhouse /x/__greenhouse http://a.test/x/__greenhouse http://a.test?/__greenhouse 1x://h/__greenhouse x/__greenhouse __greenhouse',
  ],
  [
    mayLeadToControl,
    '/__greenhouse /x/__GREENHOUSE /x/__greenhouse/y \\__greenhouse /%5f_greenhouse /%255f_greenhouse /%25255F%5fgreenhouse %2f__greenhouse /__greenhouse%2f',
    '/__greenhouses /__greenhouse.x /__greenhouse-x /__greenhouse%2dx x__greenhouse /_greenhouse /%8f__greenhouse',
  ],
]

test.each(answers)('%o says yes to what it means, and no to what looks like it', (ask, yes, no) => {
  expect(yes.split(' ').filter((text) => !ask(text))).toEqual([])
  expect(no.split(' ').filter(ask)).toEqual([])
  expect(ask('')).toBe(false)
})

test('the base of a service is an origin with a path, and nothing more', () => {
  const read = ['http://a.test', 'HTTPS://A.test:443/x/', 'http://a.test/x//'].map(readTarget)
  expect(read).toEqual(['http://a.test', 'https://a.test/x', 'http://a.test/x/'])
  const wrong =
    'a.test ftp://a.test http:// http://a.test/?x http://a.test/? http://a.test/#x http://u@a.test http://:p@a.test xhttp://a.test'
  expect(wrong.split(' ').filter((text) => readTarget(text) !== undefined)).toEqual([])
})

test('a path of a server is below the base that a client has, in its world', () => {
  expect(toServerBases('http://h')).toEqual({ plants: 'http://h', apps: 'http://h/v1' })
  expect(toServerBases('http://h', 'w')).toEqual({ plants: 'http://h/~w', apps: 'http://h/~w/v1' })
  const toUrl = toClientUrl({ plants: 'http://p.test/shop/', apps: 'http://a.test/api/v7' })
  const urls: [path: string, url: string][] = [
    ['/plants?a=1', 'http://p.test/shop/plants?a=1'],
    ['/v1', 'http://a.test/api/v7'],
    ['/v1/apps', 'http://a.test/api/v7/apps'],
    ['/v1?x', 'http://a.test/api/v7?x'],
    ['/v10/apps', 'http://p.test/shop/v10/apps'],
    ['/x/v1/apps', 'http://p.test/shop/x/v1/apps'],
    ['/~w/plants', 'http://p.test/~w/shop/plants'],
    ['/~w/v1/apps', 'http://a.test/~w/api/v7/apps'],
    ['/~/plants', 'http://p.test/shop/~/plants'],
    ['/x/~w/plants', 'http://p.test/shop/x/~w/plants'],
  ]
  for (const [path, url] of urls) expect(toUrl(path)).toBe(url)
})

test('a target is a path and a query, and its path may name a world', () => {
  expect(['/a', '/a?', '/a?b?c', '?b'].map(splitTarget)).toEqual([
    ['/a', ''],
    ['/a', ''],
    ['/a', 'b?c'],
    ['', 'b'],
  ])
  expect([joinTarget('/a', ''), joinTarget('/a', 'b')]).toEqual(['/a', '/a?b'])
  const worlds = '/~w/a /%7ew/%61pps /~w /~ /~/a /a/~w /w~'.split(' ').map(splitWorld)
  expect(worlds.map(({ world, path }) => [world, path])).toEqual([
    ['w', '/a'],
    ['w', '/apps'],
    ['w', '/'],
    ['', '/'],
    ['', '/a'],
    [undefined, '/a/~w'],
    [undefined, '/w~'],
  ])
  expect(['/~w/a', '/%7Ew', '/~', '/a/~w', '~w'].map(prefixOfWorld)).toEqual([
    '/~w',
    '/%7Ew',
    '/~',
    '',
    '',
  ])
  const decoded = '%2D%2E%30%39%41%4F%50%5A%5F%61%6f%70%7A%7e'
  expect(decodeUnreserved(decoded)).toBe('-.09AOPZ_aopz~')
  const kept = '%2C%2F%3A%40%5B%5E%60%7B%7D%7F%20%e4%'
  expect(decodeUnreserved(kept)).toBe(kept)
  expect(['/a//', '/', '', 'a/b'].map(withoutTrailingSlashes)).toEqual(['/a', '', '', 'a/b'])
})

test('a key may name its world, and a header may have several values', () => {
  expect([keyIn('default', 'k'), keyIn('w', 'k')]).toEqual(['k', 'k@w'])
  const names = ['k@w', 'a@b@c', `k@${'x'.repeat(64)}`, 'k@A.b_9-']
  expect(names.map(withoutWorld)).toEqual(['k', 'a@b', 'k', 'k'])
  const others = ['k', '@w', 'k@', 'k@a b', `k@${'x'.repeat(65)}`]
  expect(others.map(withoutWorld)).toEqual(others)
  const plain = ['key_pro', 'a-b', 'x'.repeat(40)]
  expect([...plain, 'Key', 'key1', '', 'a b', 'x'.repeat(41)].filter(isPlainKey)).toEqual(plain)
  const sent = ['Bearer k', 'bearer  k ', 'BEARER k', 'Bearer ', 'Bearer', 'Basic k', 'x Bearer k']
  expect([undefined, ...sent].map(toSecret)).toEqual([
    undefined,
    'k',
    'k',
    'k',
    ...Array(4).fill(undefined),
  ])
  const headers = { one: '1', two: ['1', '2'], none: undefined }
  const values = Object.keys(headers).map((name) => [
    headerOf({ headers }, name),
    headerText(headers, name),
  ])
  expect(values).toEqual([
    ['1', '1'],
    ['1', '1, 2'],
    [undefined, undefined],
  ])
})
