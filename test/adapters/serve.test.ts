import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { openSocket } from '../support/socket.ts'

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

test('a server listens on a free port of 127.0.0.1 by default', async () => {
  await using one = await serve(createGreenhouse())
  await using other = await serve(createGreenhouse(), { port: 0 })
  expect(one.port).toBeGreaterThan(0)
  expect(one.port).not.toBe(other.port)
  expect(one.url).toBe(`http://127.0.0.1:${one.port}`)
})

test('a server listens on the port that it is given', async () => {
  const first = await serve(createGreenhouse())
  await first.close()
  await using again = await serve(createGreenhouse(), { port: first.port })
  expect(again.port).toBe(first.port)
})

test('a port that is taken is an error that names it and the flag', async () => {
  await using taken = await serve(createGreenhouse())
  await expect(serve(createGreenhouse(), { port: taken.port })).rejects.toThrow(
    `Failed to listen on 127.0.0.1:${taken.port}: port ${taken.port} is taken. Choose another with --port`,
  )
})

test('a host that does not exist is an error that names it', async () => {
  await expect(serve(createGreenhouse(), { host: 'nowhere.invalid', token: 'secret' })).rejects.toThrow(
    'Failed to listen on nowhere.invalid:0:',
  )
})

test.runIf(hasIPv6)('an IPv6 address stands in brackets in the URL', async () => {
  await using server = await serve(createGreenhouse(), { host: '::1' })
  expect(server.url).toBe(`http://[::1]:${server.port}`)
  const response = await fetch(`${server.url}/plants`, { headers: { authorization: 'Bearer key_pro' } })
  expect(response.status).toBe(200)
  await expect(openSocket(server.port, '127.0.0.1')).rejects.toThrow('ECONNREFUSED')
})

test.runIf(hasIPv6)('a port that is taken on IPv6 is an error that names it and the flag', async () => {
  await using taken = await serve(createGreenhouse(), { host: '::1' })
  await expect(serve(createGreenhouse(), { host: '::1', port: taken.port })).rejects.toThrow(
    `Failed to listen on [::1]:${taken.port}: port ${taken.port} is taken. Choose another with --port`,
  )
})

test.each(['0.0.0.0', '::', '0', '192.168.1.20', 'nowhere.invalid'])(
  'a host that other machines can reach needs a token: %s',
  async (host) => {
    await expect(serve(createGreenhouse(), { host })).rejects.toThrow(
      `Failed to call serve(): the host "${host}" lets other machines reach this server, its control API included. Set a secret`,
    )
  },
)
