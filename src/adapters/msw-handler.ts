import type { http as Http, HttpHandler } from 'msw'
import { findNode } from '../core/contract/platform.ts'

/** Answers a request, or leaves it to other handlers. @param requestId the id that MSW gave it */
export type AnswerToMsw = (request: Request, requestId: string) => Promise<Response | undefined>

let prototype: object | undefined

/**
 * Creates a handler of MSW for requests of every method, as `http.all` does. It is our own, because
 * `msw` loads GraphQL too, which took a quarter of the processor time of a suite.
 * @param log prints a request and its reply in a page; by default as MSW does
 */
export function createOwnHandler(
  path: (asked: { request: Request }) => boolean,
  answer: AnswerToMsw,
  log: HttpHandler['log'] = logAsMsw,
): HttpHandler {
  const handler = {
    kind: 'request',
    // msw before 2.13 asks for this name.
    __kind: 'RequestHandler',
    info: {
      header: '/.+/ [custom predicate]',
      method: /.+/,
      path,
    },
    isUsed: false,
    async run({ request, requestId }: { request: Request; requestId: string }) {
      if (!path({ request })) return null
      handler.isUsed = true
      return {
        handler,
        request,
        requestId,
        response: await answer(request, requestId),
      }
    },
    log,
    reset() {},
    restore() {},
    dispose() {},
  }
  return Object.setPrototypeOf(handler, (prototype ??= findPrototype()))
}

/**
 * Returns the prototype of msw's own handlers, where Node finds it: people filter handlers by
 * `instanceof`, and so does @msw/playwright. Jest has a copy of msw that Node can't give.
 */
function findPrototype(): object {
  const node = findNode()
  if (!node || node.env['JEST_WORKER_ID']) return Object.prototype
  const load = node.getBuiltinModule('node:module').createRequire(import.meta.url)
  // Each major version of msw has its own path to what has no GraphQL.
  for (const name of ['msw/http', 'msw/core/http'])
    try {
      const { http }: { http: typeof Http } = load(name)
      return Object.getPrototypeOf(http.all('', () => {}))
    } catch {
      // The other version is installed, or msw is in a bundle.
    }
  return Object.prototype
}

/** Prints as MSW does. Only a page does so, and loads msw for it. */
export async function logAsMsw(message: Parameters<HttpHandler['log']>[0]): Promise<void> {
  const { http } = await import('msw')
  await http.all('', () => {}).log(message)
}

/** Returns what the first of some handlers answers. */
export async function answerWith(
  handlers: readonly object[],
  request: Request,
  requestId: string,
): Promise<Response | undefined> {
  for (const handler of handlers as readonly HttpHandler[]) {
    const result = await handler.run({ request, requestId })
    if (result?.response) return result.response
  }
  return undefined
}

/** Makes MSW send a request to its real address. */
export function passThrough(): Response {
  const headers = { 'x-msw-intention': 'passthrough' }
  return new Response(null, {
    status: 302,
    statusText: 'Passthrough',
    headers,
  })
}
