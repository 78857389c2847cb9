import { http, HttpResponse, type HttpHandler } from 'msw'
import { checkOptions } from '../core/definitions/options.ts'
import { withoutTrailingSlashes } from '../core/http/request.ts'
import { toFetchResponse, toServiceRequest } from '../greenhouse/fetch.ts'
import { assertGreenhouse } from '../greenhouse/options.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { assertMswRuns } from './msw-version.ts'
import { baseUrlRules, keepBaseUrls, type BaseUrls } from './base-urls.ts'

/**
 * Makes MSW handlers, one for each area, for `setupServer` and `setupWorker`. They answer requests below the base URLs, for
 * Area A only `/plants…`, and leave all others to other handlers.
 * @example setupServer(...createHandlers(greenhouse, { plants: 'https://plants.test', apps: 'https://apps.test/v1' })).listen()
 * @throws TypeError or RangeError for a wrong option, such as a base URL that is not absolute; RangeError when an active
 * scenario has a fault that needs a connection; Error for msw 3 on a Node before 22.12.
 */
export function createHandlers(greenhouse: Greenhouse, bases: BaseUrls = {}): HttpHandler[] {
  assertGreenhouse('createHandlers', greenhouse)
  checkOptions('createHandlers', bases, baseUrlRules)
  assertMswRuns('createHandlers')
  greenhouse.attach('MSW')
  keepBaseUrls(greenhouse, bases)
  const apps = createMatcher(bases.apps, '/v1', '/v1', '')
  const plants = createMatcher(bases.plants, '', '', '/plants')
  return [apps, plants].map((toPath) =>
    http.all(
      ({ request }) => toPath(new URL(request.url)) !== undefined,
      async ({ request }) => {
        const url = new URL(request.url)
        const path = toPath(url)!
        const sender = admit(greenhouse, request, path)
        if (typeof sender === 'object') return toFetchResponse(sender, request)
        const reply = await greenhouse.handle({
          ...(await toServiceRequest(request, path, url.search.slice(1), greenhouse.bodyLimit)),
          sender,
        })
        try {
          return await toFetchResponse(reply, request)
        } catch (error) {
          // The client has given up and sees no reply; MSW would tell of what is thrown as of a handler's mistake.
          if (request.signal.aborted || reply.wire?.instead === 'network-error') return HttpResponse.error()
          throw error
        }
      },
    ),
  )
}

/**
 * What MSW intercepts comes from its own process, and its Origin may be any. What carries `Sec-Fetch-Site` left a browser over
 * a socket: handlers may be mounted in a server, as @mswjs/http-middleware does.
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

/** Makes what gives a URL's path from the service's root, or `undefined` when it is not below the base. */
function createMatcher(
  base: string | undefined,
  defaultPath: string,
  mount: string,
  below: string,
): (url: URL) => string | undefined {
  const wanted = base === undefined ? undefined : new URL(base)
  const prefix = withoutTrailingSlashes(wanted?.pathname ?? defaultPath)
  const start = prefix + below
  return ({ origin, pathname }) => {
    if (wanted !== undefined && origin !== wanted.origin) return undefined
    const world = /^\/~[^/]+/.exec(pathname)?.[0] ?? ''
    const path = pathname.slice(world.length)
    if (path !== start && !path.startsWith(start + '/')) return undefined
    return world + mount + path.slice(prefix.length)
  }
}
