import type { IncomingMessage, ServerResponse } from 'node:http'
import { splitTarget, type ServiceRequest } from '../core/request.ts'
import type { Greenhouse } from '../greenhouse.ts'

/** Answers a request of Node's HTTP server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** Makes what `http.createServer` takes. */
export function createNodeListener(greenhouse: Greenhouse): NodeListener {
  return (request, response) => void answer(greenhouse, request, response, request.url!)
}

/** Answers one request whose target, from the service's root, is `target`. Never rejects. */
export async function answer(greenhouse: Greenhouse, request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
  try {
    const body = hasBody(request) ? await readBody(request, greenhouse.bodyLimit) : null
    const reply = await greenhouse.handle(toServiceRequest(request, target, body))
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body ?? undefined)
  } catch {
    // Only the connection can fail here: the client went away while it was sending.
    response.destroy()
  }
}

function toServiceRequest(request: IncomingMessage, target: string, body: ServiceRequest['body']): ServiceRequest {
  const [path, search] = splitTarget(target.startsWith('/') ? target : toOriginForm(target))
  return { method: request.method!, path, search, headers: request.headers, body }
}

/** A request to a proxy names the whole URL (`GET http://host/plants`). */
function toOriginForm(target: string): string {
  return target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '') || '/'
}

function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return (length !== undefined && length !== '0') || request.headers['transfer-encoding'] !== undefined
}

/** Reads to the end, also past the limit: a client that is still sending would not read the reply. */
function readBody(request: IncomingMessage, limit: number): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve, reject) => {
    // Copied, never kept: a chunk is a view of the 64 KiB that the socket read.
    let chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else chunks = []
    })
    request.on('end', () => resolve(length > limit ? 'too-large' : Buffer.concat(chunks, length)))
    request.on('close', () => {
      if (!request.complete) reject(new Error('The client went away.'))
    })
  })
}
