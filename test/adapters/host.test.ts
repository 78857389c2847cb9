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

served('names, addresses, ports and an empty Host are taken', async ({ exchange }) => {
  for (const host of ['greenhouse.test', 'LOCALHOST:4010', '127.0.0.1:1', '[::1]:4010', 'under_score.test', ''])
    expect((await exchange(get(`Host: ${host}`)))[0]).toMatchObject({ status: 200 })
})

served('HTTP/1.0 needs no Host', async ({ exchange }) => {
  const [reply] = await exchange(`GET /plants?limit=1 HTTP/1.0\r\n${key}\r\n\r\n`)
  expect(reply).toMatchObject({ status: 200 })
})
