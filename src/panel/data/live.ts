import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { ControlEvents } from './shapes.ts'
import type { StreamEnd, StreamEvent, Transport } from './transport.ts'

export type Connection = 'connecting' | 'live' | StreamEnd

/** The members of T. Only T itself sets its signals. */
export type ReadonlySignals<T> = {
  readonly [Name in keyof T]: T[Name] extends Signal<infer V> ? ReadonlySignal<V> : T[Name]
}

/** Gets the events of one animation frame, oldest first. */
type EventsListener = (events: readonly StreamEvent[]) => void

export type Live = ReadonlySignals<ReturnType<typeof createLive>>

/** The waits before reconnecting, in milliseconds. */
const waits = [250, 500, 1_000, 2_000, 3_000]

export function createLive(transport: Transport) {
  const connection = signal<Connection>('connecting')
  const listeners = new Set<{ readonly types: ReadonlySet<string>; readonly listener: EventsListener }>()
  const fresh = new Set<() => void>()
  const restarts = signal(0)
  const restarted = new Set<() => void>()
  let server: string | undefined
  let lastId: string | undefined
  let failures = 0
  let stop = () => {}
  let retry = () => {}

  const refresh = () => fresh.forEach((listener) => listener())
  const isRestart = ({ type, data }: StreamEvent) => {
    if (type !== 'gap') return false
    const before = server
    server = (data as ControlEvents['gap']).server
    return before !== undefined && before !== server
  }
  const deliver = batchEvents((all) => {
    const index = all.findLastIndex(isRestart)
    if (index >= 0)
      batch(() => {
        restarts.value++
        for (const listener of restarted) listener()
      })
    // Earlier events are from another server.
    const events = all.slice(Math.max(0, index))
    for (const { types, listener } of listeners) {
      const wanted = events.filter(({ type }) => types.has(type))
      if (wanted.length > 0) listener(wanted)
    }
    if (events.some(({ type }) => type === 'gap')) refresh()
  })

  const open = (world: string) => {
    let isOver = false
    let stopWaiting = () => {}
    const close = transport.events(world, {
      lastId,
      onOpen() {
        failures = 0
        connection.value = 'live'
        // A new stream begins with a gap. A resumed one was interrupted: what was loaded meanwhile may be outdated.
        if (lastId !== undefined) refresh()
      },
      onEvent(event) {
        lastId = event.id ?? lastId
        deliver(event)
      },
      onEnd(reason) {
        connection.value = reason
        if ((reason === 'lost' || reason === 'crowded') && !isOver) {
          const wait = waits[Math.min(failures++, waits.length - 1)]!
          stopWaiting = after(wait, () => open(world))
          retry = () => {
            retry = () => {}
            stopWaiting()
            if (!isOver) open(world)
          }
        }
      },
    })
    stop = () => {
      isOver = true
      stopWaiting()
      close()
    }
  }

  return {
    connection,
    restarts,
    on: (types: readonly string[], listener: EventsListener) => addTo(listeners, { types: new Set(types), listener }),
    /** Calls `listener` whenever loaded data may be outdated: the stream began, or events are missing. */
    onFresh: (listener: () => void) => addTo(fresh, listener),
    /** Calls `listener` before the events of a restarted server: the panel's state is then obsolete. */
    onRestart: (listener: () => void) => addTo(restarted, listener),
    retry: () => retry(),
    follow(world: string) {
      stop()
      lastId = undefined
      failures = 0
      connection.value = 'connecting'
      open(world)
    },
    end: () => stop(),
  }
}

function addTo<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => void set.delete(member)
}

const max = 500

/** The wait in a hidden page, which draws no frames, in milliseconds. */
const hiddenWait = 250

/** The pause between two batches, in milliseconds: nobody reads faster, and drawing every frame takes a whole core. */
const pause = 100

function batchEvents(onEvents: (events: readonly StreamEvent[]) => void): (event: StreamEvent) => void {
  let waiting: StreamEvent[] = []
  let isScheduled = false
  let lastAt = -Infinity
  const flush = () => {
    isScheduled = false
    lastAt = monotonicNow()
    const events = waiting
    waiting = []
    if (events.length > 0) batch(() => onEvents(events))
  }
  return (event) => {
    waiting.push(event)
    if (waiting.length >= max) return flush()
    if (isScheduled) return
    isScheduled = true
    const wait = lastAt + pause - monotonicNow()
    if (document.hidden) after(hiddenWait, flush)
    else if (wait <= 0) requestAnimationFrame(flush)
    else after(wait, () => requestAnimationFrame(flush))
  }
}
