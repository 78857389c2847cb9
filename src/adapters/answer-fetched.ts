import { answerBarePreflight } from './bare-preflight.ts'
import { toFetchResponse, toServiceRequest } from '../greenhouse/fetch.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'

/**
 * Answers an intercepted request. @param url the request's. @param path from the service's root, after a world's
 * prefix. @returns `undefined` if no reply is to arrive: a scenario breaks the network, or the client has given up.
 */
export async function answerFetched(
  greenhouse: Greenhouse,
  request: Request,
  { search }: URL,
  path: string,
): Promise<Response | undefined> {
  const sender = admit(greenhouse, request, path)
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
 * A request intercepted within a process comes from that process, whatever its Origin. A request with `Sec-Fetch-Site`
 * came from a browser over a socket: @mswjs/http-middleware mounts handlers in a server.
 */
function admit(
  greenhouse: Greenhouse,
  { method, headers }: Request,
  path: string,
): ReturnType<Greenhouse['admit']> | undefined {
  return headers.has('sec-fetch-site')
    ? greenhouse.admit({ method, path, headers: Object.fromEntries(headers) }, undefined)
    : undefined
}
