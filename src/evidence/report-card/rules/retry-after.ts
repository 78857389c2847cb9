import { isAfter, NewestMap, toWait, toPast, waitedSince, type Past, type Rule } from '../rule.ts'

/** How much earlier than Retry-After a client may come, in milliseconds: the header counts whole seconds. */
const tolerance = 20

export const retryAfterHonoured: Rule = {
  name: 'retry-after-honoured',
  title: 'Waits for Retry-After before it tries again',
  why: 'A client that comes back early gets the same error, and keeps the service busy for everybody.',
  exercise: "world.use('rate-limited-plan'), and move the world's clock on after the 429",
  watch({ pass, fail }) {
    const waiting = new NewestMap<Past & { retryAfter: number }>()
    return {
      see(request) {
        const past = waiting.get(request.same)
        if (past && isAfter(request, past)) {
          waiting.delete(request.same)
          const waited = waitedSince(past, request)
          if (waited >= past.retryAfter - tolerance) pass(past, request)
          else fail(`waited ${toWait(waited)}, not ${toWait(past.retryAfter)}`, past, request)
        }
        if (request.retryAfter !== undefined)
          waiting.set(request.same, { ...toPast(request), retryAfter: request.retryAfter })
      },
    }
  },
}
