import { expect } from 'vitest'
import { expectRefusal, key, served } from '../support/socket.ts'

const get = (...hosts: string[]) => ['GET /plants HTTP/1.1', ...hosts, key, 'Connection: close', '', ''].join('\r\n')

served('a request without a Host is refused', async ({ exchange }) => {
  const [reply] = await exchange(get())
  expectRefusal(reply)
})

served('a request with two Hosts is refused, also when they agree', async ({ exchange }) => {
  expectRefusal((await exchange(get('Host: one.test', 'Host: two.test')))[0])
  expectRefusal((await exchange(get('Host: one.test', 'host: one.test')))[0])
})

served('a Host that is none is refused, and nothing happens', async ({ exchange, greenhouse }) => {
  for (const host of ['a b', 'a/b', 'user@host', '[::1', 'host:port', '<script>', 'h\u00f6st'])
    expectRefusal((await exchange(get(`Host: ${host}`)))[0])
  expect(greenhouse.world('default').journal.calls()).toEqual([])
})

served('names of this machine and addresses are taken, with any port', async ({ exchange }) => {
  for (const host of [
    'localhost',
    'LOCALHOST:4010',
    'app.localhost',
    'App.LocalHost:80',
    '127.0.0.1:1',
    '127.8.9.10',
    '192.168.1.5:4010',
    '0.0.0.0',
    '[::1]:4010',
    '[2001:DB8::7]',
    'localhost:',
  ])
    expect((await exchange(get(`Host: ${host}`)))[0], host).toMatchObject({ status: 200 })
})

served('HTTP/1.0 needs no Host', async ({ exchange }) => {
  const [reply] = await exchange(`GET /plants?limit=1 HTTP/1.0\r\n${key}\r\n\r\n`)
  expect(reply).toMatchObject({ status: 200 })
})
