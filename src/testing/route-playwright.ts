import type {
  APIRequestContext,
  APIResponse,
  BrowserContext,
  Request as PageRequest,
} from '@playwright/test'
import { answerFetched, createServicePath } from '../adapters/intercepted.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { BaseUrls } from '../adapters/base-urls.ts'

/** The types of requests that scripts send, and not the browser for the page and its parts. */
const byPrograms = new Set(['fetch', 'xhr', 'eventsource'])

export async function routePages(
  context: BrowserContext,
  greenhouse: Greenhouse,
  world: string,
  {
    bases,
    answersAll,
  }: {
    readonly bases: BaseUrls
    readonly answersAll: boolean
  },
): Promise<() => void> {
  const toPath = createServicePath(greenhouse, bases, answersAll ? 'all' : 'operations')
  const toKnownPath = createServicePath(greenhouse, bases)
  const underWay = new Map<PageRequest, AbortController>()
  const giveUp = (request: PageRequest) => underWay.get(request)?.abort()
  context.on('requestfailed', giveUp)
  await context.route(
    (url) => toPath(url) !== undefined,
    async (route, request) => {
      const url = new URL(request.url())
      // The application itself may be at the base URL.
      const isOfProgram = byPrograms.has(request.resourceType())
      const path = isOfProgram ? toPath(url) : toKnownPath(url)
      if (path === undefined) return route.fallback()
      const controller = new AbortController()
      underWay.set(request, controller)
      try {
        const asked = toFetchRequest(request, world, controller.signal)
        const response = await answerFetched(greenhouse, asked, url, path)
        const body = await response?.arrayBuffer()
        if (controller.signal.aborted) return
        if (!response || !body) return await route.abort('failed')
        const headers = Object.fromEntries(response.headers)
        await route.fulfill({
          status: response.status,
          headers,
          body: Buffer.from(body),
        })
      } catch (error) {
        // The client has given up, or its page is gone.
        if (!controller.signal.aborted) throw error
      } finally {
        underWay.delete(request)
      }
    },
  )
  return () => {
    context.off('requestfailed', giveUp)
    for (const controller of underWay.values()) controller.abort()
  }
}

function toFetchRequest(request: PageRequest, world: string, signal: AbortSignal): Request {
  const method = request.method()
  const headers = new Headers(
    Object.entries(request.headers()).filter(([name]) => !name.startsWith(':')),
  )
  headers.set('x-greenhouse-world', world)
  const body = method === 'GET' || method === 'HEAD' ? null : request.postDataBuffer()
  return new Request(request.url(), {
    method,
    headers,
    body: body as BodyInit | null,
    signal,
  })
}

export type TargetFinder = (url: URL) => string | Promise<string> | undefined
const methods = ['fetch', 'get', 'post', 'put', 'patch', 'delete', 'head'] as const
type Fetch = APIRequestContext['fetch']
type FetchTarget = string | PageRequest
type FetchOptions = Parameters<Fetch>[1]
type FetchMethod = (target: FetchTarget, options?: FetchOptions) => Promise<APIResponse>
const worldHeader = 'x-greenhouse-world'

/**
 * Routes requests of `request` and `page.request` to a test's world: those for which `findTarget`
 * returns a target get its header. Playwright itself can set headers only for all requests of a
 * context.
 */
export function routeRequests(
  context: APIRequestContext,
  world: string,
  baseUrl: string | undefined,
  findTarget: TargetFinder,
): void {
  for (const name of methods) {
    const send = context[name].bind(context) as FetchMethod
    const routed: FetchMethod = async (target, options = {}) => {
      const given = typeof target === 'string' ? target : target.url()
      const to = URL.canParse(given, baseUrl)
        ? await findTarget(new URL(given, baseUrl))
        : undefined
      if (!to) return send(target, options)
      const ofTarget = typeof target === 'string' ? {} : target.headers()
      const headers: Record<string, string> = { ...ofTarget, ...options.headers }
      if (!Object.keys(headers).some((header) => header.toLowerCase() === worldHeader))
        headers[worldHeader] = world
      const url = new URL(given, baseUrl).href
      if (to === url) return send(target, { ...options, headers })
      const response = await send(to, {
        ...toFetchOptions(target),
        ...options,
        headers,
      })
      // Reports the client's URL instead of the target's. Playwright adds `params` to it.
      const shown = new URL(url)
      shown.search = new URL(response.url()).search
      Object.defineProperty(response, 'url', { value: () => shown.href })
      return response
    }
    Object.defineProperty(context, name, {
      value: routed,
      configurable: true,
      writable: true,
    })
  }
}

function toFetchOptions(target: FetchTarget): NonNullable<FetchOptions> {
  if (typeof target === 'string') return {}
  return {
    method: target.method(),
    data: target.postDataBuffer() ?? undefined,
  }
}
