import { codedError } from '../core/text/error-codes.ts'
import { prefixesOf } from './intercepted.ts'
import { withCallerStack, rejectSecondArgument } from '../core/contract/options.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertGreenhouse } from '../api/options.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import { inTurn } from '../node-http/pipelining.ts'
import { createAnswer } from '../node-http/listener.ts'

/** An Express middleware, without the types of Express. */
export type Middleware = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Creates an Express middleware that answers `/plants…` and `/v1/…` below its mount path, and
 * passes other requests on.
 * @example express().use(createMiddleware(createGreenhouse())).listen(3000)
 * @note Mount it before `express.json()` and other body parsers. A request whose body is already
 * read fails.
 */
export function createMiddleware(greenhouse: Greenhouse): Middleware {
  return withCallerStack(createMiddleware, () => {
    rejectSecondArgument(
      'createMiddleware',
      arguments,
      'Options belong into createGreenhouse({ … }), a path into app.use(path, …).',
    )
    assertGreenhouse('createMiddleware', greenhouse)
    const answer = createAnswer(greenhouse)
    // Paths of a missing area get a reply that says so.
    const { areas } = greenhouse.catalogue
    const own = areas.flatMap(({ base, operations }) => prefixesOf(base, operations))
    const prefixes = [...new Set(['/plants', '/v1', ...own])]
    return (request, response, next) => {
      const target = request.url!
      if (!isBelow(prefixes, target)) next()
      else if (request.readableDidRead)
        next(
          codedError(
            'GREENHOUSE_UNSUPPORTED_HOST',
            'Greenhouse received a request whose body was already read. Mount Greenhouse before express.json() and other body parsers.',
          ),
        )
      else inTurn(request, response, () => answer(request, response, target))
    }
  })
}

/**
 * Returns whether a target, with or without a world's prefix, is below one of the paths. An empty
 * path matches any target.
 */
function isBelow(prefixes: readonly string[], target: string): boolean {
  const path = target.replace(/^\/~[^/?]+/, '')
  return prefixes.some(
    (prefix) => path.startsWith(prefix) && /^([/?]|$)/.test(path.slice(prefix.length)),
  )
}
