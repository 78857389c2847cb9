import { expectRejection, openSocket, served } from '../support/socket.ts'

const connect = 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n'

served('CONNECT is refused as JSON', async ({ exchange }) => {
  const [reply] = await exchange(connect)
  expectRejection(reply)
})

served('a client that resets its connection after CONNECT does not end the process', async ({ server }) => {
  for (let count = 0; count < 10; count++) {
    const socket = await openSocket(server.port)
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.write(connect, resolve))
    socket.resetAndDestroy()
  }
})
