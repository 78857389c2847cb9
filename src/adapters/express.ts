import type { IncomingMessage, ServerResponse } from 'node:http'
import { assertGreenhouse } from '../greenhouse/options.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { createAnswer } from '../node-http/listener.ts'

/** An Express middleware, written so that no types of Express are needed. */
export type Middleware = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * Makes an Express middleware that answers `/plants…` and `/v1/…` below the path that it is mounted at, and leaves
 * everything else to the next one.
 * @note Mount it before `express.json()`: a body that was parsed has lost its exact integers, and is passed on as an error.
 */
export function createMiddleware(greenhouse: Greenhouse): Middleware {
  assertGreenhouse('createMiddleware', greenhouse)
  const answer = createAnswer(greenhouse)
  return (request, response, next) => {
    const target = request.url!
    if (!/^(\/~[^/?]+)?\/(plants|v1)([/?]|$)/.test(target)) next()
    else if (request.readableDidRead)
      next(
        new Error(
          'Greenhouse got a body that something before it has read. Mount it before express.json() and other body parsers.',
        ),
      )
    else answer(request, response, target)
  }
}
