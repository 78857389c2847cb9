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
    whenGone: (tell) => (request.signal.aborted ? tell() : request.signal.addEventListener('abort', tell, { once: true })),
  }
}

/**
 * Translates a reply; where none is to arrive, waits until the client gives up.
 * @throws Error for a fault that takes a connection: there is none here.
 */
export function toFetchResponse(reply: Reply, signal?: AbortSignal): Response | Promise<Response> {
  const { status, headers, body, wire } = reply
  if (wire === undefined) return new Response(toBodyInit(body, headers), { status, headers })
  if (wire.instead === 'timeout') return untilGivenUp(signal)
  const impossible = wire.instead ?? (wire.cutAt === undefined ? undefined : 'truncate with a lying Content-Length')
  if (impossible !== undefined) throw new Error(`Failed to produce the fault "${impossible}": it takes a connection of its own, and here is none. Use serve().`)
  const sent = new Headers(headers)
  for (const name of new Set(wire.repeated?.map((repeated) => repeated.toLowerCase()))) if (sent.has(name)) sent.append(name, sent.get(name)!)
  return new Response(body !== null && wire.pieces ? toStream(wire.pieces(toBytes(body)), signal) : toBodyInit(body, headers), { status, headers: sent })
}

/** Text would be given a Content-Type where the reply has none. */
function toBodyInit(body: Reply['body'], headers: Reply['headers']): BodyInit | null {
  const isTyped = headers['Content-Type'] !== undefined || body === null
  return (isTyped || hasContentType(headers) ? body : toBytes(body)) as BodyInit | null
}

function hasContentType(headers: Reply['headers']): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
}

function untilGivenUp(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** A body that ends with the client's patience, as that of a real `fetch` does. */
function toStream(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]()
  let isOpen = true
  const leave = () => {
    isOpen = false
    // Not waited for: the source may be in the middle of a long wait.
    void source.return?.()
  }
  return new ReadableStream({
    start(controller) {
      signal?.addEventListener(
        'abort',
        () => {
          if (!isOpen) return
          leave()
          controller.error(signal.reason)
        },
        { once: true },
      )
    },
    async pull(controller) {
      const { done, value } = await source.next()
      if (!isOpen) return
      if (!done) return controller.enqueue(value)
      isOpen = false
      controller.close()
    },
    cancel: leave,
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
