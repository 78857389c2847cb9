import { type FetchClient, toFetchResponse, toServiceRequest } from '../api/fetch.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { emptyReply, type Reply } from '../core/http/reply.ts'
import { type SocketSender, withoutTrailingSlashes } from '../core/http/request.ts'
import type { BaseUrls } from './base-urls.ts'

export type AreaPath = (url: URL) => string | undefined

/**
 * Returns path functions for the areas that the Greenhouse has. Areas of plug-ins are below the
 * base of Area A. @param below which URLs below that base belong to Area A: with `operations`,
 * those of its operations, `/plants…`; with `all`, every one.
 */
export function createAreaPaths(
  { catalogue }: Greenhouse,
  bases: BaseUrls,
  below: 'operations' | 'all' = 'operations',
): AreaPath[] {
  return catalogue.areas.toReversed().flatMap(({ name, base, operations }) => {
    if (name === 'apps') return createAreaPath(bases.apps, '/v1', '')
    if (name === 'plants' && below === 'all') return createAreaPath(bases.plants, '', '')
    return prefixesOf(base, operations).map((start) => createAreaPath(bases.plants, '', start))
  })
}

export function createServicePath(...options: Parameters<typeof createAreaPaths>): AreaPath {
  const paths = createAreaPaths(...options)
  return (url) => paths.map((find) => find(url)).find((path) => path !== undefined)
}

function createAreaPath(base: string | undefined, mount: string, below: string): AreaPath {
  const wanted = base === undefined ? undefined : new URL(base)
  const prefix = withoutTrailingSlashes(wanted?.pathname ?? mount)
  const start = prefix + below
  return ({ origin, pathname }) => {
    if (wanted !== undefined && origin !== wanted.origin) return undefined
    const world = /^\/~[^/]+/.exec(pathname)?.[0] ?? ''
    const path = pathname.slice(world.length)
    if (path !== start && !path.startsWith(start + '/')) return undefined
    return world + mount + path.slice(prefix.length)
  }
}

export function prefixesOf(
  base: string,
  operations: readonly { readonly path: string }[],
): string[] {
  if (base !== '') return [base]
  const first = operations.map(({ path }) => path.split('/', 2).join('/'))
  return [...new Set(first.map((segment) => (segment.includes('{') ? '' : segment)))]
}

/**
 * @param path may begin with a world's prefix. @returns `undefined` if a scenario breaks the
 * network, or the client is gone.
 */
export async function answerFetched(
  greenhouse: Greenhouse,
  request: Request,
  { search }: URL,
  path: string,
): Promise<Response | undefined> {
  const { method, headers } = request
  let sender: SocketSender | Reply | undefined
  // A browser sent it over a socket, to a server in which @mswjs/http-middleware mounts the
  // handlers. Other requests come from this process, whatever their Origin.
  if (headers.has('sec-fetch-site'))
    sender = greenhouse.admit(
      {
        method,
        path,
        headers: Object.fromEntries(headers),
      },
      undefined,
    )
  if (typeof sender === 'object') return toFetchResponse(sender, request, greenhouse.waiting)
  const preflight = answerBarePreflight(request)
  if (preflight) return toFetchResponse(preflight, request, greenhouse.waiting)
  const client = clientOf(request)
  const asked = await toServiceRequest(request, path, search.slice(1), greenhouse.bodyLimit)
  if (client.signal.aborted) return undefined
  const reply = await greenhouse.handle({
    ...asked,
    sender,
    signal: client.signal,
  })
  try {
    return await toFetchResponse(reply, client, greenhouse.waiting)
  } catch (error) {
    const { instead } = reply.wire ?? {}
    // Over a socket its client still waits: only @mswjs/http-middleware has a Host, and an error
    // would end its process.
    if (instead === 'timeout' && client === request && request.headers.has('host'))
      return new Promise(() => {})
    if (client.signal.aborted || instead === 'network-error' || instead === 'timeout')
      return undefined
    throw error
  }
}

/**
 * MSW does not abort the requests of `node:http` and of XMLHttpRequest when their client gives up.
 */
function clientOf(request: Request): FetchClient {
  const key = Object.getOwnPropertySymbols(request).find(
    ({ description }) => description === 'kRawRequest',
  )
  const sent =
    key && (Reflect.get(request, key) as Partial<Request & XMLHttpRequest & NodeJS.EventEmitter>)
  if (!sent || sent.signal) return request
  const control = new AbortController()
  const giveUp = () => control.abort()
  sent.once?.('close', giveUp)
  sent.addEventListener?.('loadend', giveUp)
  return { signal: control.signal }
}

/**
 * Returns the reply to a preflight of happy-dom; `undefined` for other requests. happy-dom removes
 * the preflight headers from every `Request`, and msw 3, which intercepts sockets, passes the bare
 * `OPTIONS` request on. The reply allows every page, because the request comes from this process.
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
