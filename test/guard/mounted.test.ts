import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMiddleware as mountHandlers } from '@mswjs/http-middleware'
import express from 'express'
import { getResponse } from 'msw'
import { expect, onTestFinished, test } from 'vitest'
import { createMiddleware } from 'greenhouse-mock/express'
import { createHandlers } from 'greenhouse-mock/msw'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, key, openSocket, toReplies } from '../support/socket.ts'
import { expectTurnedAway } from './stranger.ts'

const image = ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: image']
const mounts = {
  'the Express middleware': (greenhouse: ReturnType<typeof createGreenhouse>) =>
    createMiddleware(greenhouse) as RequestListener,
  'handlers behind @mswjs/http-middleware': (greenhouse: ReturnType<typeof createGreenhouse>) =>
    mountHandlers(...createHandlers(greenhouse)) as RequestListener,
}

test.each(Object.entries(mounts))(
  '%s turns away what browsers mark as sent by another site, and lets pages of this machine in',
  async (_name, mount) => {
    const greenhouse = createGreenhouse()
    const server = createServer(express().use(mount(greenhouse)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const ask = async (path: string, headers: string[]) => {
      const socket = await openSocket(port)
      socket.write(
        [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', key, ...headers, '', ''].join('\r\n'),
      )
      return toReplies(await drain(socket))[0]!
    }
    for (const path of ['/~stranger/plants', '/~stranger/v1/apps'])
      for (const marks of [image, ['Origin: https://shop.example', 'Sec-Fetch-Site: cross-site']])
        expectTurnedAway(await ask(path, marks), path, /--cors/)
    expect(greenhouse.worlds()).toEqual(['default'])
    for (const marks of [
      [],
      ['Origin: http://localhost:5173', 'Sec-Fetch-Site: cross-site'],
      ['Sec-Fetch-Site: same-origin'],
    ])
      expect(await ask('/~mine/plants', marks)).toMatchObject({ status: 200 })
  },
)

test('a HEAD that is turned away has no body', async () => {
  const request = new Request('http://any/plants', { method: 'HEAD', headers: { 'sec-fetch-site': 'cross-site' } })
  const response = await getResponse(createHandlers(createGreenhouse()), request)
  expect([response?.status, await response?.text()]).toEqual([403, ''])
})
