import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { openSocket } from '../support/socket.ts'

const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? [])
const hasIPv6 = addresses.some(({ address }) => address === '::1')

test('a server listens on a free port of 127.0.0.1 by default', async () => {
  await using one = await serve(createGreenhouse())
  await using other = await serve(createGreenhouse(), { port: 0 })
  expect(one.port).toBeGreaterThan(0)
  expect(one.port).not.toBe(other.port)
  expect(one.url).toBe(`http://127.0.0.1:${one.port}`)
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

test.each(['127.0.0.1', ...(hasIPv6 ? ['::1'] : [])])('a taken port of %s is named, and the flag', async (host) => {
  await using taken = await serve(createGreenhouse(), { host })
  const { host: name } = new URL(taken.url)
  await expect(serve(createGreenhouse(), { host, port: taken.port })).rejects.toThrow(
    `Failed to listen on ${name}: port ${taken.port} is taken. Choose another with --port`,
  )
})

for (const host of ['0.0.0.0', '::', '0', '192.168.1.20', 'nowhere.invalid'])
  test(`a host that other machines can reach needs a token: ${host}`, async () => {
    await expect(serve(createGreenhouse(), { host })).rejects.toThrow(
      `Failed to call serve(): the host "${host}" lets other machines reach this server, its control API included. Set a secret`,
    )
  })
