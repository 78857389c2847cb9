import { toBytes, type Reply } from './core/reply.ts'
import type { ServiceRequest } from './core/request.ts'

/**
 * Translates a `Request`; its body is read to the end, or to the limit.
 * @param path from the service's root, percent-encoded, and @param search without the `?`.
 */
export async function toServiceRequest(request: Request, path: string, search: string, bodyLimit: number): Promise<ServiceRequest> {
  return {
    method: request.method,
    path,
    search,
    headers: Object.fromEntries(request.headers),
    body: request.body ? await readBody(request, bodyLimit) : null,
  }
}

/**
 * Translates a reply; where none is to arrive, waits until the client gives up.
 * @throws Error for a fault that takes a connection: there is none here.
 */
export function toFetchResponse(reply: Reply, signal?: AbortSignal): Response | Promise<Response> {
  const { status, headers, body, wire } = reply
  if (wire === undefined) return new Response(body as BodyInit | null, { status, headers })
  if (wire.instead === 'timeout') return untilGivenUp(signal)
  const impossible = wire.instead ?? (wire.cutAt === undefined ? undefined : 'truncate with a lying Content-Length')
  if (impossible !== undefined) throw new Error(`Failed to produce the fault "${impossible}": it takes a connection of its own, and here is none. Use serve().`)
  const sent = new Headers(headers)
  for (const name of wire.repeated ?? []) if (sent.has(name)) sent.append(name, sent.get(name)!)
  return new Response(body !== null && wire.pieces ? toStream(wire.pieces(toBytes(body))) : (body as BodyInit | null), { status, headers: sent })
}

function untilGivenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function toStream(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return?.()
    },
  })
}

/** Reads to the end, also past the limit: a host that carries the request may wait for that before it takes the next one. */
async function readBody(request: Request, limit: number): Promise<Uint8Array | 'too-large'> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body!.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length <= limit) chunks.push(read.value)
    else chunks.length = 0
  }
  return length > limit ? 'too-large' : joined(chunks, length)
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
