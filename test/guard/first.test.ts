import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { drain, openSocket, toReplies } from '../support/socket.ts'

test('the first handler sees no request with a foreign Host or from a page that is not let in', async () => {
  const seen: string[] = []
  await using server = await serve(createGreenhouse({ cors: ['https://shop.example'] }), {
    first: async (request, response) => {
      seen.push(`${request.method} ${request.url}`)
      response.writeHead(299).end()
      return true
    },
  })
  const ask = async (line: string, headers: string[]) => {
    const socket = await openSocket(server.port)
    socket.write([`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))
    return toReplies(await drain(socket))[0]!.status
  }
  const preflight = ['Host: localhost', 'Access-Control-Request-Method: POST']
  expect(await ask('GET /a', ['Host: attacker.example'])).toBe(403)
  expect(await ask('POST /b', ['Host: localhost', 'Origin: https://other.example'])).toBe(403)
  expect(await ask('GET /c', ['Host: localhost', 'Sec-Fetch-Site: cross-site'])).toBe(403)
  expect(await ask('OPTIONS /d', [...preflight, 'Origin: https://other.example'])).toBe(403)
  expect(seen).toEqual([])
  expect(await ask('GET /e', ['Host: localhost'])).toBe(299)
  expect(await ask('POST /f', ['Host: localhost', 'Origin: https://shop.example'])).toBe(299)
  expect(await ask('OPTIONS /g', [...preflight, 'Origin: https://shop.example'])).toBe(299)
  expect(seen).toEqual(['GET /e', 'POST /f', 'OPTIONS /g'])
})
