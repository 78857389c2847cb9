import { createServer } from 'node:http'

const body = JSON.stringify(
  Array.from({ length: 20 }, (_, number) => ({ name: `Plant ${number}`, tag: 'bench' })),
)

const server = createServer((_, response) => {
  response
    .writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
    .end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(
    JSON.stringify({
      event: 'ready',
      plants_url: `http://127.0.0.1:${server.address().port}`,
      keys: {},
    }),
  ),
)
