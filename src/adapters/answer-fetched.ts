import { emptyReply, type Reply } from '../core/http/reply.ts'
import { toFetchResponse, toServiceRequest, type FetchClient } from '../api/fetch.ts'
import type { Greenhouse } from '../api/greenhouse.ts'

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
  if (typeof sender === 'object') return toFetchResponse(sender, request, greenhouse.waiting)
  const preflight = answerBarePreflight(request)
  if (preflight) return toFetchResponse(preflight, request, greenhouse.waiting)
  const client = toClient(request)
  const reply = await greenhouse.handle({
    ...(await toServiceRequest(request, path, search.slice(1), greenhouse.bodyLimit)),
    sender,
    signal: client.signal,
  })
  try {
    return await toFetchResponse(reply, client, greenhouse.waiting)
  } catch (error) {
    const { instead } = reply.wire ?? {}
    if (client.signal.aborted || instead === 'network-error' || instead === 'timeout') return undefined
    throw error
  }
}

/** MSW does not abort the requests of `node:http` and of XMLHttpRequest when their client gives up. */
function toClient(request: Request): FetchClient {
  const key = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  const sent = key && (Reflect.get(request, key) as Partial<Request & XMLHttpRequest & NodeJS.EventEmitter>)
  if (!sent || sent.signal) return request
  const control = new AbortController()
  const giveUp = () => control.abort()
  sent.once?.('close', giveUp)
  sent.addEventListener?.('loadend', giveUp)
  return { signal: control.signal }
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
