import { hasOperation } from '../core/pipeline/router.ts'
import { hideBody, hideHeader, hideParameters } from '../core/secrets/secrets.ts'
import { withCallerStack } from '../core/contract/options.ts'
import { checkOptions } from '../core/store/options.ts'
import type { HttpHandler } from 'msw'
import { assertGreenhouse } from '../api/options.ts'
import { MissingAreaError, missingAreas } from '../catalogue/fold-areas.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { answerFetched, type AreaPath, createAreaPaths } from './intercepted.ts'
import { type AnswerToMsw, createOwnHandler, logAsMsw } from './msw-handler.ts'
import { assertMswRuns } from './peer-version.ts'
import { baseUrlSchemas, knownBases, toAbsoluteBases, type BaseUrls } from './base-urls.ts'

export type { HttpHandler }

/**
 * Creates MSW handlers, one for each area, for `setupServer` and `setupWorker`. They answer
 * requests below the base URLs (in Area A, below `/plants`), and leave all others to other
 * handlers.
 * @example setupServer(...createHandlers(greenhouse, { plants: 'https://plants.test', apps: 'https://apps.test/v1' })).listen()
 * @throws TypeError or RangeError for a wrong option, such as a base URL that is neither absolute
 * nor, in a page, a path, or one for an area that the Greenhouse does not have; RangeError when an
 * active scenario has a fault that needs a connection; Error for msw before 2.11, and for msw 3 on
 * Node before 22.12.
 */
export function createHandlers(greenhouse: Greenhouse, bases: BaseUrls = {}): HttpHandler[] {
  return withCallerStack(createHandlers, () => {
    assertGreenhouse('createHandlers', greenhouse)
    checkOptions('createHandlers', bases, baseUrlSchemas)
    assertMswRuns('greenhouse-mock/msw')
    for (const area of missingAreas(greenhouse.catalogue.areas))
      if (bases[area] !== undefined) throw new MissingAreaError(`answer below ${bases[area]}`, area)
    greenhouse.declareHostWithoutConnections('MSW')
    const absolute = toAbsoluteBases(bases)
    // The panel in a page shows where its client reaches this Greenhouse.
    knownBases.set(greenhouse, absolute)
    return createAreaPaths(greenhouse, absolute).map((toPath) => createHandler(greenhouse, toPath))
  })
}

/**
 * Creates a handler for requests with a path from `toPath`. @param fallback answers requests that
 * match no operation, if it can.
 */
export function createHandler(
  greenhouse: Greenhouse,
  toPath: AreaPath,
  fallback?: AnswerToMsw,
): HttpHandler {
  const answer = async (request: Request, requestId: string) => {
    const url = new URL(request.url)
    const path = toPath(url) ?? url.pathname
    if (fallback && !hasOperation(greenhouse.service.areas, request.method, path)) {
      const answered = await fallback(request, requestId)
      if (answered) return answered
    }
    const { proxy } = greenhouse.options
    // A page that forwards nothing does not load what forwards. A second call changes nothing, but
    // a wrong option fails every request.
    if (proxy) (await import('../proxy/fetch-target.ts')).standInFrontByFetch(greenhouse, proxy)
    // MSW would report a thrown error as a bug of the handler.
    return (await answerFetched(greenhouse, request, url, path)) ?? Response.error()
  }
  return createOwnHandler(
    ({ request }) => toPath(new URL(request.url)) !== undefined,
    answer,
    createLog(greenhouse),
  )
}

/** In a page, MSW prints each request and its reply: here without their secrets. */
function createLog(greenhouse: Greenhouse): HttpHandler['log'] {
  return async ({ request, response }) => {
    if (response.type === 'error') return
    const sent = await showMessage(greenhouse, request)
    const received = await showMessage(greenhouse, response)
    await logAsMsw({
      request: new Request(sent.url, {
        ...sent,
        method: request.method,
      }),
      response: new Response(received.body, {
        ...received,
        status: response.status,
        statusText: response.statusText,
      }),
    })
  }
}

/** Returns the parts of a message without their secrets. */
async function showMessage(greenhouse: Greenhouse, message: Request | Response) {
  let body = ''
  try {
    body = await message.clone().text()
  } catch {
    // A scenario cut it.
  }
  const finders = greenhouse.world().core.secretFinders()
  const headers = Object.fromEntries(
    Array.from(message.headers, ([name, value]) => [name, hideHeader(name, value, finders)]),
  )
  return {
    url: hideParameters(message.url, finders),
    headers,
    body: hideBody(body, headers['content-type'], finders) || null,
  }
}
