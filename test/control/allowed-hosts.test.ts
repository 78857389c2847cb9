import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, openSocket, toReplies } from '../support/socket.ts'

async function ask(
  host: string,
  { token, shown }: { token?: string; shown?: string },
): Promise<{ status: number; text: string }> {
  await using server = await serve(createGreenhouse(), { allowHosts: ['greenhouse', '.example.com'], token })
  const socket = await openSocket(server.port)
  socket.write(
    [
      'GET /__greenhouse/worlds HTTP/1.1',
      `Host: ${host}:${server.port}`,
      ...(shown === undefined ? [] : [`Authorization: Bearer ${shown}`]),
      'Connection: close',
      '',
      '',
    ].join('\r\n'),
  )
  return toReplies(await drain(socket))[0]!
}

test('a name that was allowed reaches the control API of a server with a token, with the token', async () => {
  for (const host of ['greenhouse', 'GREENHOUSE', 'a.example.com', 'app.localhost', '192.168.1.5']) {
    expect((await ask(host, { token: 'secret', shown: 'secret' })).status, host).toBe(200)
    expect((await ask(host, { token: 'secret', shown: 'wrong' })).status, host).toBe(403)
    expect((await ask(host, { token: 'secret' })).status, host).toBe(403)
  }
})

test('without a token an allowed name is 403, since anyone could make it lead to the server', async () => {
  for (const host of ['greenhouse', 'a.example.com', 'app.localhost', '192.168.1.5']) {
    const { status, text } = await ask(host, {})
    expect(status, host).toBe(403)
    expect(JSON.parse(text).error.message).toContain('--token')
  }
})

test('other names never reach the control API', async () => {
  for (const host of ['attacker.example', 'greenhouse.evil', 'localhost.'])
    expect((await ask(host, { token: 'secret', shown: 'secret' })).status, host).toBe(403)
})
