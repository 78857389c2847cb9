import type { BrowserContext, Request as PageRequest, Route } from '@playwright/test'
import { answerFetched } from '../adapters/answer-fetched.ts'
import { createServicePath } from '../adapters/area-paths.ts'
import type { BaseUrls } from '../adapters/base-urls.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'

interface Routing {
  readonly greenhouse: Greenhouse
  readonly world: string
  readonly bases: BaseUrls
  readonly answersAll: boolean
}

/** The types of requests that scripts send, and not the browser for the page and its parts. */
const byPrograms = new Set(['fetch', 'xhr', 'eventsource'])

export async function routePages(
  context: BrowserContext,
  { greenhouse, world, bases, answersAll }: Routing,
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
      if (!byPrograms.has(request.resourceType()) && toKnownPath(url) === undefined) return route.fallback()
      const controller = new AbortController()
      underWay.set(request, controller)
      try {
        await answer(route, toRequest(request, world, controller.signal), greenhouse, url, toPath(url)!)
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

function toRequest(request: PageRequest, world: string, signal: AbortSignal): Request {
  const method = request.method()
  const headers = new Headers(Object.entries(request.headers()).filter(([name]) => !name.startsWith(':')))
  headers.set('x-greenhouse-world', world)
  const body = method === 'GET' || method === 'HEAD' ? null : request.postDataBuffer()
  return new Request(request.url(), { method, headers, body: body as BodyInit | null, signal })
}

async function answer(route: Route, request: Request, greenhouse: Greenhouse, url: URL, path: string): Promise<void> {
  const response = await answerFetched(greenhouse, request, url, path)
  const body = await response?.arrayBuffer()
  if (request.signal.aborted) return
  if (!response || !body) return route.abort('failed')
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(body),
  })
}
