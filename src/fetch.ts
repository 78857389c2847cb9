import type { Reply } from './core/reply.ts'
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

/** Translates a reply. */
export function toFetchResponse({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers })
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
