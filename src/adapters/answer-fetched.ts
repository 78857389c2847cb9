import { emptyReply, type Reply } from '../core/http/reply.ts'
import { toFetchResponse, toServiceRequest } from '../greenhouse/fetch.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'

/** @param path may begin with a world's prefix. @returns `undefined` if a scenario breaks the network, or the client is gone. */
export async function answerFetched(
  greenhouse: Greenhouse,
  request: Request,
  { search }: URL,
  path: string,
): Promise<Response | undefined> {
  // A browser sent it over a socket, to a server in which @mswjs/http-middleware mounts the handlers. Other requests come
  // from this process, whatever their Origin.
  const sender = request.headers.has('sec-fetch-site')
    ? greenhouse.admit({ method: request.method, path, headers: Object.fromEntries(request.headers) }, undefined)
    : undefined
  if (typeof sender === 'object') return toFetchResponse(sender, request)
  const preflight = answerBarePreflight(request)
  if (preflight) return toFetchResponse(preflight, request)
  const reply = await greenhouse.handle({
    ...(await toServiceRequest(request, path, search.slice(1), greenhouse.bodyLimit)),
    sender,
  })
  try {
    return await toFetchResponse(reply, request)
  } catch (error) {
    if (request.signal.aborted || reply.wire?.instead === 'network-error') return undefined
    throw error
  }
}

/**
 * Returns the reply to a preflight of happy-dom; `undefined` for other requests. happy-dom removes the preflight headers
 * from every `Request`, and msw 3, which intercepts sockets, passes the bare `OPTIONS` request on. The reply allows every
 * page, because the request comes from this process.
 */
function answerBarePreflight({ method, headers }: Request): Reply | undefined {
  if (method !== 'OPTIONS' || headers.has('access-control-request-method')) return undefined
  if (!headers.get('user-agent')?.includes('HappyDOM/')) return undefined
  const reply = emptyReply(204)
  reply.headers['Access-Control-Allow-Origin'] = '*'
  reply.headers['Access-Control-Allow-Methods'] = '*'
  reply.headers['Access-Control-Allow-Headers'] = '*'
  return reply
}
