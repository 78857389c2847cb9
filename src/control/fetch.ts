import type { Greenhouse } from '../api/greenhouse.ts'
import { toJson } from '../core/http/json.ts'
import type { ClientBases } from '../core/http/urls.ts'
import { type Answer, type Chunk, type EventFeed, follow, undoHeader } from './action.ts'
import { answerCall } from './answer-call.ts'
import type { ControlCall } from './call.ts'
import { toPieces } from './turns.ts'

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
    const { method, headers } = request
    // Nothing keeps the signal of the request alive, which follows this one.
    const signal = init?.signal ?? request.signal
    const { pathname, search, origin: called } = new URL(request.url)
    const answer = await answerCall(greenhouse, {
      method,
      path: pathname.slice('/__greenhouse'.length),
      query: search.slice(1),
      headers: Object.fromEntries(headers),
      readText: () => request.text(),
      origin: origin ?? called,
      bases: bases?.(),
      parseYaml,
    })
    signal.throwIfAborted()
    return toResponse(answer, signal)
  }
}

function toResponse(answer: Answer, signal: AbortSignal): Response {
  if ('stream' in answer) return new Response(toStream(answer.stream, signal), { headers: eventHeaders })
  if ('chunks' in answer) return new Response(toPieceStream(answer.chunks), { headers: jsonHeaders })
  const { status, value, undo } = answer
  const headers: Record<string, string> = undo === undefined ? {} : { [undoHeader]: undo }
  return value === undefined
    ? new Response(null, { status, headers })
    : new Response(toJson(value), { status, headers: { ...headers, ...jsonHeaders } })
}

const jsonHeaders = { 'content-type': 'application/json' }
const eventHeaders = { 'content-type': 'text/event-stream' }

const encoder = new TextEncoder()

function toPieceStream(chunks: Iterable<Chunk>): ReadableStream<Uint8Array> {
  const pieces = toPieces(chunks)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

/** The most events that wait for a reader, before its stream ends. It opens another one, and reads what it missed. */
const maxUnread = 10_000

function toStream(feed: EventFeed, signal: AbortSignal): ReadableStream<Uint8Array> {
  let stop = () => {}
  return new ReadableStream({
    start(controller) {
      const write = (text: string) => {
        if (controller.desiredSize! >= -maxUnread) return controller.enqueue(encoder.encode(text))
        stop()
        controller.close()
      }
      stop = follow(feed, write, () => controller.close())
      signal.addEventListener('abort', () => {
        stop()
        controller.error(signal.reason)
      })
    },
    cancel: () => stop(),
  })
}
