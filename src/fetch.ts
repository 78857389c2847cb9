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

async function readBody(request: Request, limit: number): Promise<Uint8Array | 'too-large'> {
  if (Number(request.headers.get('content-length')) > limit) return 'too-large'
  const bytes = new Uint8Array(await request.arrayBuffer())
  return bytes.length > limit ? 'too-large' : bytes
}
