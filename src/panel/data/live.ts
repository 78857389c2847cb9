import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ControlApi, ControlMessage } from '../../control/client/control-api.ts'
import { TokenError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { ControlEventType } from './shapes.ts'

/** `rejected`: the world is impossible; `crowded`: too many pages are open. */
export type Connection = 'connecting' | 'live' | 'lost' | 'needs-token' | 'rejected' | 'crowded'

/** The members of T. Only T itself sets its signals. */
export type ReadonlySignals<T> = {
  readonly [Name in keyof T]: T[Name] extends Signal<infer V> ? ReadonlySignal<V> : T[Name]
}

export type StreamEvent<Type = ControlEventType> = Extract<ControlMessage, { readonly type: Type }>

export type Live = ReadonlySignals<ReturnType<typeof createLive>>

export function createLive(control: ControlApi) {
  const connection = signal<Connection>('connecting')
  /** They get the events of one animation frame, oldest first. */
  const listeners = new Set<{ readonly types: ReadonlySet<string>; listener(events: readonly StreamEvent[]): void }>()
  const fresh = new Set<() => void>()
  const restarts = signal(0)
  const restarted = new Set<() => void>()
  let server: string | undefined
  let aborter = new AbortController()

  const refresh = () => fresh.forEach((listener) => listener())
  const isRestart = (event: StreamEvent) => {
    if (event.type !== 'gap') return false
    const before = server
    server = event.data.server
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
    for (const one of listeners) {
      const wanted = events.filter(({ type }) => one.types.has(type))
      if (wanted.length > 0) one.listener(wanted)
    }
    if (events.some(({ type }) => type === 'gap')) refresh()
  })
  const take = (message: ControlMessage) => {
    if (message.type === 'open') {
      connection.value = 'live'
      // A new stream begins with a gap. A resumed one was interrupted: what was loaded meanwhile may be outdated.
      if (message.isAgain) refresh()
    } else if (message.type === 'lost')
      connection.value = message.error?.code === 'too_many_streams' ? 'crowded' : 'lost'
    else deliver(message)
  }
  const read = async (world: string, { signal }: AbortController) => {
    try {
      for await (const messages of control.events({ query: { world }, signal }))
        for (const message of messages) if (!signal.aborted) take(message)
    } catch (error) {
      if (!signal.aborted) connection.value = error instanceof TokenError ? 'needs-token' : 'rejected'
    }
  }

  return {
    connection,
    restarts,
    on: <Type extends ControlEventType>(
      types: readonly Type[],
      listener: (events: readonly StreamEvent<Type>[]) => void,
    ) => addTo(listeners, { types: new Set<string>(types), listener }),
    /** Calls `listener` whenever loaded data may be outdated: the stream began, or events are missing. */
    onFresh: (listener: () => void) => addTo(fresh, listener),
    /** Calls `listener` before the events of a restarted server: the panel's state is then obsolete. */
    onRestart: (listener: () => void) => addTo(restarted, listener),
    follow(world: string) {
      aborter.abort()
      aborter = new AbortController()
      connection.value = 'connecting'
      void read(world, aborter)
    },
    end: () => aborter.abort(),
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
