import type { WorldClock } from '../time/world-clock.ts'
import { toJson } from './json.ts'
import type { Reply } from './reply.ts'

export interface ServerSentEvent {
  readonly event: string
  readonly data: unknown
}

/** The default gap between two events, in milliseconds. */
export const defaultGap = 10

export function eventStreamReply(status: number, events: readonly ServerSentEvent[], clock: WorldClock): Reply {
  const frames = events.map(({ event, data }) => `event: ${event}\ndata: ${toJson(data)}\n\n`)
  return {
    status,
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
    body: frames.join(''),
    wire: { pieces: (body, signal, gap = defaultGap) => sendEvents(body, clock, gap, signal) },
  }
}

export function isEventStream({ headers, wire }: Reply): boolean {
  return wire?.pieces !== undefined && headers['Content-Type'] === 'text/event-stream'
}

async function* sendEvents(
  body: Uint8Array,
  clock: WorldClock,
  gap: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let start = 0
  while (start < body.length) {
    if (start > 0) await clock.wait(gap, signal)
    const end = endOfEvent(body, start)
    yield body.subarray(start, end)
    start = end
  }
}

export function endOfEvent(body: Uint8Array, start: number): number {
  for (let at = start; at + 1 < body.length; at++) if (body[at] === 10 && body[at + 1] === 10) return at + 2
  return body.length
}

export interface Outcome {
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  /** The length of the text in bytes, if it is already known. */
  readonly length?: number
  readonly events?: readonly ServerSentEvent[]
}
