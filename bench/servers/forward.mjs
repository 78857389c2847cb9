import { Agent, createServer, request as send } from 'node:http'

/**
 * The least that forwards: Node's own server and client, with a pool of connections, and no look at
 * anything.
 */
const { hostname: host, port } = new URL(process.argv[2])
const agent = new Agent({ keepAlive: true })

const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const asked = send({ host, port, method, path, headers, agent }, (reply) => {
    response.writeHead(reply.statusCode, reply.rawHeaders)
    reply.pipe(response)
  })
  asked.on('error', () => response.destroy())
  request.pipe(asked)
})
server.listen(Number(process.argv[3]), '127.0.0.1')
