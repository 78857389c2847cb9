import { answerBarePreflight } from './bare-preflight.ts'
import { toFetchResponse, toServiceRequest } from '../greenhouse/fetch.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'

/**
 * Answers a request that was caught on its way out.
 * @param url the request's. @param path from the service's root, after the prefix of a world where there is one.
 * @returns `undefined` when no reply is to arrive: a scenario lets the network fail, or the client has given up.
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
 * What is caught in a process comes from that process, and its Origin may be any. What carries `Sec-Fetch-Site` left a browser
 * over a socket: handlers may be mounted in a server, as @mswjs/http-middleware does.
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
