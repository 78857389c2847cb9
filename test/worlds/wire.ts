import { Agent, request, type OutgoingHttpHeaders } from 'node:http'

/** A reply as it came over a socket. */
export interface WireReply {
  status: number
  /** The world in X-Greenhouse. */
  world: string | undefined
  remaining: string | undefined
  /** The parsed JSON body; `undefined` when there is none. */
  body: unknown
}

/** Sends requests over connections that stay open. */
export function openWire(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = (method: string, path: string, headers: OutgoingHttpHeaders, body?: unknown) =>
    new Promise<WireReply>((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const own =
        sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
      const call = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...headers, ...own } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
          response.on('error', reject).on('end', () => {
            const trace = String(response.headers['x-greenhouse'])
            resolve({
              status: response.statusCode!,
              world: /^world=([^;]*)/.exec(trace)?.[1],
              remaining: response.headers['x-ratelimit-remaining'] as string | undefined,
              body: text === '' ? undefined : JSON.parse(text),
            })
          })
        },
      )
      call.on('error', reject).end(sent)
    })
  return { send, close: () => agent.destroy() }
}
