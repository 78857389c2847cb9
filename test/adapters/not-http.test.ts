import { expectRefusal, openSocket, served } from '../support/socket.ts'

const nonsense: Record<string, string | Uint8Array> = {
  'a TLS greeting': new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  'random bytes': new Uint8Array(2_000).map((_, index) => (index * 167 + 13) & 0xff),
  'a line of text': 'hello there\r\n\r\n',
  "HTTP/2's preface": 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a NUL in the path': 'GET /pla\0nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a space in the path': 'GET /pla nts HTTP/1.1\r\nHost: greenhouse.localhost\r\n\r\n',
  'a header without a colon': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nnonsense\r\n\r\n',
  'a header with a NUL': 'GET /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nX-A: \0\r\n\r\n',
  'bare line feeds': 'GET /plants HTTP/1.1\nHost: greenhouse.localhost\n\n',
  'a negative Content-Length': 'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: -1\r\n\r\n',
  'two Content-Lengths':
    'POST /plants HTTP/1.1\r\nHost: greenhouse.localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
}

for (const [what, bytes] of Object.entries(nonsense))
  served(`${what} is refused as JSON`, async ({ exchange }) => {
    const [reply] = await exchange(bytes)
    expectRefusal(reply)
  })

served('a client that resets its connection in the middle of nonsense does not end the process', async ({ server }) => {
  for (const bytes of Object.values(nonsense)) {
    const socket = await openSocket(server.port)
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
})
