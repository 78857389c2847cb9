import { codedError } from '../core/text/error-codes.ts'
import { toPairs } from '../core/http/reply.ts'
import { joinTarget } from '../core/http/request.ts'
import { after } from '../core/time/clock.ts'
import { attach, type Fronting } from './front.ts'
import {
  type Forwarded,
  isRead,
  passedOn,
  type ProxyOptions,
  TargetFailure,
  toTargetBases,
  tooLarge,
  tooLate,
  toTargetHeaders,
  toTargetPath,
} from './message.ts'

const attached = new WeakSet<Fronting>()

/**
 * Lets a Greenhouse without a server answer from the real service of these options, past MSW.
 */
export function standInFrontByFetch(
  greenhouse: Fronting,
  { timeout = 30_000, record, ...given }: ProxyOptions,
): void {
  if (attached.has(greenhouse)) return
  if (record !== undefined)
    throw codedError(
      'GREENHOUSE_FAILED_FORWARDING',
      'Failed to record into a folder: that needs a server. Use serve().',
    )
  attach(greenhouse, given, toTargetBases(given), {
    decode: async (bytes) => bytes,
    async send({ method, path, search, headers, body, signal }, base, isWhole) {
      if (body === 'too-large') throw tooLarge()
      const { host: _, ...named } = headers
      const raw = Object.entries(named).flatMap(([name, value]) => [
        name,
        [value ?? []].flat().join(', '),
      ])
      const sent = toTargetHeaders(raw, {}, '', isWhole && isRead(method))
      const control = new AbortController()
      signal?.addEventListener('abort', () => control.abort())
      let isLate = false
      const stopWaiting = after(timeout, () => {
        isLate = true
        control.abort()
      })
      try {
        const url = base.origin + joinTarget(toTargetPath(base, path).path, search)
        const init: RequestInit = {
          method,
          headers: toPairs(sent),
          redirect: 'manual',
          signal: control.signal,
        }
        const request = new Request(
          url,
          body
            ? {
                ...init,
                body: body as BodyInit,
              }
            : init,
        )
        request.headers.append('accept', 'msw/passthrough')
        return toForwarded(await fetch(request), () => control.abort())
      } catch (error) {
        if (isLate) throw new TargetFailure(504, tooLate(timeout))
        throw new TargetFailure(502, `is unreachable: ${(error as Error).message}`, true)
      } finally {
        stopWaiting()
      }
    },
  })
  // The options are read here, so that a mistake in them fails each request, and not the first one
  // alone.
  attached.add(greenhouse)
}

/** @param cancel ends the reply, also where MSW has a copy of it */
function toForwarded(
  { status, statusText, headers, body, type }: Response,
  cancel: () => void,
): Forwarded {
  if (type === 'opaqueredirect') throw new Error('a page cannot see where a redirect leads')
  const isCoded = headers.has('content-encoding')
  // `fetch` has taken the codings off the body.
  const raw = passedOn([...headers].flat(), {}, (name, value) => {
    if (name === 'content-encoding' || (isCoded && name === 'content-length')) return undefined
    return value
  })
  if (body === null)
    return {
      status,
      phrase: statusText,
      raw,
      body,
    }
  return {
    status,
    phrase: statusText,
    raw,
    body: inPieces(body.getReader(), cancel),
    cancel,
  }
}

/** Some browsers cannot iterate a stream. */
async function* inPieces(reader: ReadableStreamDefaultReader<Uint8Array>, cancel: () => void) {
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value
  } finally {
    cancel()
  }
}
