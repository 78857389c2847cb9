import { toJson } from '../core/http/json.ts'
import type { Texts } from '../core/text/values.ts'

export interface FeedEvent {
  readonly type?: string
  readonly data: string
}

/**
 * Subscribes to server-sent events, and returns what ends that. A listener gets `undefined` at the
 * end, if there is one.
 */
export type EventFeed = (listener: (event: FeedEvent | undefined) => void) => () => void

export const undoHeader = 'X-Greenhouse-Undo'

/** The answer to a call, as a server or a page sends it. */
export interface Answer {
  readonly status: number
  readonly headers: Texts
  readonly body?: string | AsyncIterable<string>
}

export const jsonHeaders = { 'Content-Type': 'application/json' }

/**
 * @param result what an action returns; `undefined` for an answer without a body. @param signal
 * ends a stream
 */
export function toAnswer(
  result: unknown,
  {
    status,
    undo,
    signal,
  }: {
    status: number
    undo?: string
    signal?: AbortSignal
  },
): Answer {
  if (typeof result === 'function') {
    const body = readFeed(result as EventFeed, signal)
    return {
      status,
      headers: { 'Content-Type': 'text/event-stream' },
      body,
    }
  }
  const headers: Record<string, string> = undo === undefined ? {} : { [undoHeader]: undo }
  if (result === undefined) return { status, headers }
  return {
    status,
    headers: { ...headers, ...jsonHeaders },
    body: toJson(result),
  }
}

/**
 * The most characters of events that a reader may leave unread. It opens another stream then, and
 * reads the state again.
 */
const maxUnread = 2 ** 20

const overflow = toEventText({
  type: 'closed',
  data: JSON.stringify({
    reason: 'overflow',
    message: `More than ${maxUnread} characters of events were not read. Open the stream again, and read again what you show.`,
  }),
})

async function* readFeed(feed: EventFeed, signal?: AbortSignal): AsyncGenerator<string, void> {
  let unread = ''
  let isOpen = true
  let notify = () => {}
  const end = () => {
    isOpen = false
    notify()
  }
  const unsubscribe = feed((event) => {
    if (!isOpen) return
    if (!event) return end()
    const isTooMuch = unread.length > maxUnread
    unread += isTooMuch ? overflow : toEventText(event)
    if (isTooMuch) end()
    else notify()
  })
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    while (isOpen || unread !== '') {
      const text = unread
      unread = ''
      if (text !== '') yield text
      else await new Promise<void>((resolve) => (notify = resolve))
    }
  } finally {
    isOpen = false
    unsubscribe()
    signal?.removeEventListener('abort', end)
  }
}

function toEventText({ type, data }: FeedEvent): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}
