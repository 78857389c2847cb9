import { concatBytes, type Reply } from '../core/http/reply.ts'
import { after } from '../core/time/clock.ts'
import { type Context, type Target, endedEarly, type Forwarded, TargetFailure } from './message.ts'

/**
 * Reads a body up to the limit; what is larger, or has not ended after the wait, stays in pieces.
 */
export async function readWhole({ limit, patience }: Context, came: Forwarded): Promise<Forwarded> {
  const { body, size } = came
  if (body === null || body instanceof Uint8Array) return came
  const source = body[Symbol.asyncIterator]()
  const pieces: Uint8Array[] = []
  let length = 0
  let stopWaiting = () => {}
  const late = new Promise<undefined>(
    (resolve) => (stopWaiting = after(patience, () => resolve(undefined))),
  )
  try {
    for (;;) {
      const next = source.next()
      const part = length > limit ? undefined : await Promise.race([next, late])
      if (!part) {
        next.catch(() => undefined)
        return {
          ...came,
          body: chain(pieces, next, source),
        }
      }
      if (part.done)
        return {
          ...came,
          body: concatBytes(pieces),
        }
      pieces.push(part.value)
      length += part.value.length
    }
  } catch (error) {
    throw new TargetFailure(502, size === undefined ? brokeOff(error) : endedEarly(length, size))
  } finally {
    stopWaiting()
  }
}

/** @param next what was asked for and has not come */
async function* chain(
  pieces: readonly Uint8Array[],
  next: Promise<IteratorResult<Uint8Array>>,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
    for (let part = await next; !part.done; part = await source.next()) yield part.value
  } finally {
    void source.return?.()
  }
}

export const brokeOff = (error: unknown) => `broke off: ${(error as Error).message}`

/**
 * Returns a reply without its Content-Encoding; itself if it has none, nothing if its body is not
 * what that says.
 */
export async function toReadable({ decode }: Target, reply: Reply): Promise<Reply | undefined> {
  if (reply.headers['Content-Encoding'] === undefined) return reply
  const { 'Content-Encoding': encoding, ...headers } = reply.headers
  try {
    const body = await decode(reply.body as Uint8Array, encoding)
    return {
      ...reply,
      headers,
      body,
      length: body.length,
    }
  } catch {
    return undefined
  }
}
