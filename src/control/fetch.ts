import type { Greenhouse } from '../api/greenhouse.ts'
import type { ClientBases } from '../core/http/urls.ts'
import { answerCall } from './answer-call.ts'
import type { ControlCall } from './call.ts'

interface ControlFetchOptions extends Pick<ControlCall, 'parseYaml'> {
  /** The origin of what answers ordinary requests; by default, that of each URL. */
  readonly origin?: string | undefined
  /** Called for each call, because handlers may be made later. */
  readonly bases?: (() => ClientBases | undefined) | undefined
}

/**
 * Returns a `fetch` that answers calls of the control API in this process, without a server and without its guard. Like one, it
 * sends copies: nobody shares records with it.
 * @example new ControlApi('http://greenhouse.test', { fetch: controlFetch(greenhouse) })
 */
export function controlFetch(
  greenhouse: Greenhouse,
  { origin, bases, parseYaml }: ControlFetchOptions = {},
): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    // Nothing keeps the signal of the request alive, which follows this one.
    const signal = init?.signal ?? request.signal
    const ending = new AbortController()
    signal.addEventListener('abort', () => ending.abort(signal.reason))
    const { pathname, search, origin: called } = new URL(request.url)
    const { status, headers, body } = await answerCall(greenhouse, {
      method: request.method,
      path: pathname.slice('/__greenhouse'.length),
      query: search.slice(1),
      headers: Object.fromEntries(request.headers),
      readText: () => request.text(),
      origin: origin ?? called,
      bases: bases?.(),
      signal: ending.signal,
      parseYaml,
    })
    signal.throwIfAborted()
    return new Response(typeof body === 'object' ? toStream(body, ending) : (body ?? null), { status, headers })
  }
}

const encoder = new TextEncoder()

function toStream(body: AsyncIterable<string>, ending: AbortController): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  const { signal } = ending
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (signal.aborted) controller.error(signal.reason)
      else if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    cancel: () => ending.abort(),
  })
}
