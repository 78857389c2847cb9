import { expect, test } from 'vitest'
import { isLoopbackAddress, isLoopbackHost, isLoopbackOrigin } from '../../src/core/http/loopback.ts'

const hosts = [
  'localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.255.255.254',
  '[::1]',
  '::1',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]
const strangers = [
  '',
  'localhost.',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '127.0.0.256',
  '127.1',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  '[::1',
  '127.0.0.1:80',
  'a@127.0.0.1',
]

test.each(hosts)('%s is this machine, as a host and in an origin', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
  if (host.startsWith('[') || !host.includes(':'))
    for (const origin of [`http://${host}`, `https://${host}:3000`]) expect(isLoopbackOrigin(origin), origin).toBe(true)
})

test.each(strangers)('"%s" is not', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
  expect(isLoopbackAddress(host)).toBe(false)
  if (host !== '127.0.0.1:80') expect(isLoopbackOrigin(`http://${host}`)).toBe(false)
})

test('an origin has a scheme of the web, and nothing after its port', () => {
  for (const origin of [
    'null',
    'localhost',
    'file://localhost',
    'http:/localhost',
    'http://localhost/',
    'http://localhost:',
    'http://localhost:123456',
    'http://localhost:80/x',
    'http://localhost#',
    'http://localhost?x',
  ])
    expect(isLoopbackOrigin(origin), origin).toBe(false)
})
