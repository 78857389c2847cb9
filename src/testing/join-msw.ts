import { codedError } from '../core/text/error-codes.ts'
import type { HttpHandler } from 'msw'
import {
  answerFetched,
  type AreaPath,
  createAreaPaths,
  createServicePath,
} from '../adapters/intercepted.ts'
import { knownBases, type BaseUrls } from '../adapters/base-urls.ts'
import { createHandler } from '../adapters/msw.ts'
import {
  type AnswerToMsw,
  answerWith,
  createOwnHandler,
  passThrough,
} from '../adapters/msw-handler.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { Interception } from './reach.ts'
import { cached } from '../core/contract/cache.ts'

export interface Joining {
  readonly bases?: BaseUrls
  /**
   * True to answer all requests below the base URLs, so that none silently reaches the network.
   */
  readonly answersAll?: boolean
  readonly passes?: string
}

const reserved = new WeakMap<Interception, Set<string>>()

/**
 * Adds Greenhouse's handlers to a `setupServer`, before its own; `resetHandlers` keeps them.
 * Returns a function that removes them. @throws Error if another `createTest` uses one of the base
 * URLs with this server.
 */
export function joinMsw(
  server: Interception,
  greenhouse: Greenhouse,
  joining: Joining,
): () => void {
  const release = reserve(server, Object.values(joining.bases ?? {}))
  let isOpen = true
  const ownHandlers = createCustomHandlers(server, greenhouse, joining, () => isOpen)
  const add = () => {
    if (ownHandlers.some((handler) => !server.listHandlers().includes(handler)))
      server.use(...ownHandlers)
  }
  add()
  const restore = afterResets(server, () => isOpen && add())
  return () => {
    // msw cannot remove handlers, so they stop answering instead.
    isOpen = false
    restore()
    release()
  }
}

function createCustomHandlers(
  server: Interception,
  greenhouse: Greenhouse,
  { bases, answersAll = false, passes }: Joining,
  isOpen: () => boolean,
): HttpHandler[] {
  const whileOpen =
    (toPath: AreaPath): AreaPath =>
    (url) =>
      isOpen() ? toPath(url) : undefined
  const ownHandlers: HttpHandler[] = []
  const others: AnswerToMsw = (request, requestId) => {
    const all = server.listHandlers()
    const next = all.findLastIndex((handler) => ownHandlers.includes(handler as HttpHandler)) + 1
    // WebSocket handlers have no `info`.
    const handlers = all.slice(next).filter((handler) => 'info' in handler)
    return answerWith(handlers, request.clone(), requestId)
  }
  if (bases) {
    greenhouse.declareHostWithoutConnections('MSW')
    knownBases.set(greenhouse, bases)
    ownHandlers.push(
      ...createAreaPaths(greenhouse, bases).map((toPath) =>
        createHandler(greenhouse, whileOpen(toPath), others),
      ),
    )
  }
  if (bases && answersAll) {
    const toPath = whileOpen(createServicePath(greenhouse, bases, 'all'))
    ownHandlers.push(createLastHandler(greenhouse, toPath, others))
  }
  if (passes !== undefined)
    ownHandlers.push(
      createOwnHandler(
        ({ request }) => isOpen() && new URL(request.url).origin === passes,
        async () => passThrough(),
      ),
    )
  // Webhook deliveries to the test's own receiver are not a mistake of the client.
  ownHandlers.push(
    createOwnHandler(
      ({ request }) =>
        isOpen() &&
        request.method === 'POST' &&
        request.headers.get('user-agent')?.startsWith('Greenhouse-Webhooks/') === true,
      async (...asked) => (await others(...asked)) ?? passThrough(),
    ),
  )
  return ownHandlers
}

/** Answers what no handler of the test answers. */
function createLastHandler(greenhouse: Greenhouse, toPath: AreaPath, others: AnswerToMsw) {
  return createOwnHandler(
    ({ request }) => toPath(new URL(request.url)) !== undefined,
    async (request, requestId) => {
      const url = new URL(request.url)
      const path = toPath(url)
      const answer = await others(request, requestId)
      if (answer || path === undefined) return answer
      return answerFetched(greenhouse, request, url, path)
    },
  )
}

function afterResets(server: Interception, then: () => void): () => void {
  const former = Object.getOwnPropertyDescriptor(server, 'resetHandlers')
  const reset = server.resetHandlers
  const wrapped: Interception['resetHandlers'] = (...handlers) => {
    const result = reset.apply(server, handlers)
    then()
    return result
  }
  server.resetHandlers = wrapped
  return () => {
    // If another wrapper is around this one, this one stays in place but does nothing.
    if (server.resetHandlers !== wrapped) return
    if (former) Object.defineProperty(server, 'resetHandlers', former)
    else delete (server as Partial<Interception>).resetHandlers
  }
}

const whyOnlyOne =
  'another createTest() of this file already does, so a request could belong to either. Create one `test`, and use it for all tests of the file.'

function reserve(server: Interception, bases: readonly (string | undefined)[]): () => void {
  const known = cached(reserved, server, () => new Set())
  const wanted = bases
    .filter((base) => base !== undefined)
    .map((base) => new URL(base).href.replace(/\/$/, ''))
  const twice = wanted.find((base) => known.has(base))
  if (twice !== undefined)
    throw codedError('GREENHOUSE_UNSUPPORTED_HOST', `Failed to answer at ${twice}: ${whyOnlyOne}`)
  for (const base of wanted) known.add(base)
  return () => {
    for (const base of wanted) known.delete(base)
  }
}
