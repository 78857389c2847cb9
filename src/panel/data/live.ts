import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ControlApi, ControlMessage } from '../../control/client/control-api.ts'
import { TokenError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { ControlEventType } from './shapes.ts'

/** `rejected`: the server does not let this page read; `crowded`: too many pages are open. */
export type Connection = 'connecting' | 'live' | 'lost' | 'needs-token' | 'rejected' | 'crowded'

export type ReadonlySignals<T> = {
  readonly [Name in keyof T]: T[Name] extends Signal<infer V> ? ReadonlySignal<V> : T[Name]
}

export type StreamEvent<Type = ControlEventType> = Extract<ControlMessage, { readonly type: Type }>

export type Live = ReadonlySignals<ReturnType<typeof createLive>>

/**
 * The pause between two batches of events, in milliseconds: nobody reads faster, and drawing every
 * frame takes a whole core.
 */
const pause = 100

const maxWaiting = 500

/**
 * Gives its listeners the events of the world that is shown. A hidden page follows none, and reads
 * all again when it is shown.
 */
export function createLive(control: ControlApi, world: ReadonlySignal<string>) {
  const connection = signal<Connection>('connecting')
  const listeners = new Set<Listener>()
  const fresh = new Set<() => void>()
  const restarts = signal(0)
  const restarted = new Set<() => void>()
  /** The server whose events are followed. */
  let server: string | undefined
  let aborter = new AbortController()

  const refresh = () => fresh.forEach((listener) => listener())
  const isOurs = ({ data }: StreamEvent) => !('world' in data) || data.world === world.peek()
  let waiting: StreamEvent[] = []
  let isScheduled = false
  let isRestarted = false
  let lastAt = -Infinity
  const deliver = () => {
    isScheduled = false
    lastAt = monotonicNow()
    const events = waiting
    waiting = []
    batch(() => {
      if (isRestarted) {
        restarts.value++
        restarted.forEach((listener) => listener())
      }
      isRestarted = false
      for (const { types, isOfAll, listener } of listeners) {
        const wanted = events.filter((event) => types.has(event.type) && (isOfAll || isOurs(event)))
        if (wanted.length > 0) listener(wanted)
      }
      if (events.some(({ type }) => type === 'start')) refresh()
    })
  }
  const takeEvent = (event: StreamEvent) => {
    if (event.type === 'start') {
      if (server !== undefined && server !== event.data.server) {
        isRestarted = true
        // Those are from the server before.
        waiting = []
      }
      server = event.data.server
    }
    if (event.type !== 'world' && !isOurs(event)) return
    waiting.push(event)
    if (waiting.length >= maxWaiting) return deliver()
    if (isScheduled) return
    isScheduled = true
    after(Math.max(0, lastAt + pause - monotonicNow()), () => requestAnimationFrame(deliver))
  }
  const take = (message: ControlMessage) => {
    if (message.type === 'open') connection.value = 'live'
    else if (message.type === 'lost')
      connection.value = message.error?.code === 'too_many_streams' ? 'crowded' : 'lost'
    else takeEvent(message)
  }

  const listen = async (signal: AbortSignal) => {
    try {
      for await (const messages of control.events({ signal })) messages.forEach(take)
    } catch (error) {
      if (!signal.aborted)
        connection.value = error instanceof TokenError ? 'needs-token' : 'rejected'
    }
  }
  const listenIfShown = () => {
    aborter.abort()
    aborter = new AbortController()
    if (!document.hidden) void listen(aborter.signal)
  }
  document.addEventListener('visibilitychange', listenIfShown)

  return {
    connection,
    restarts,
    /**
     * @param isOfAll whether it gets the events of all worlds; only those of the type `world` are
     * kept for it.
     */
    on: <Type extends ControlEventType>(
      types: readonly Type[],
      listener: (events: readonly StreamEvent<Type>[]) => void,
      isOfAll = false,
    ) =>
      addTo(listeners, {
        types: new Set<string>(types),
        listener: listener as Listener['listener'],
        isOfAll,
      }),
    /** Calls `listener` whenever loaded data may be outdated: a stream began. */
    onFresh: (listener: () => void) => addTo(fresh, listener),
    /**
     * Calls `listener` before the events of a restarted server: the panel's state is then obsolete.
     */
    onRestart: (listener: () => void) => addTo(restarted, listener),
    /**
     * Opens the stream again: for another world, which another process may have, or with another
     * token.
     */
    follow() {
      server = undefined
      connection.value = 'connecting'
      listenIfShown()
    },
    end() {
      document.removeEventListener('visibilitychange', listenIfShown)
      aborter.abort()
    },
  }
}

type Listener = {
  types: ReadonlySet<string>
  isOfAll: boolean
  listener(events: readonly StreamEvent[]): void
}

function addTo<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => void set.delete(member)
}

/** The time between two reads because of events, in milliseconds. */
const readPause = 250

export type Reading = ReturnType<typeof latest>

/**
 * Reads data, again whenever the stream begins: it may be outdated. Only the newest read counts, in
 * whatever order answers come.
 * @param error why the newest read failed. @param read gets whether no later read has begun.
 */
export function latest(
  live: Pick<Live, 'onFresh'>,
  error: Signal<Error | undefined>,
  read: (isLatest: () => boolean) => Promise<void>,
) {
  let newest = 0
  let lastAt = -Infinity
  let stopWaiting: (() => void) | undefined
  const load = async () => {
    const mine = ++newest
    const isLatest = () => mine === newest
    lastAt = monotonicNow()
    try {
      await read(isLatest)
      if (isLatest()) error.value = undefined
    } catch (thrown) {
      if (isLatest()) error.value = thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }
  const loadSoon = () => {
    stopWaiting ??= after(Math.max(0, lastAt + readPause - monotonicNow()), () => {
      stopWaiting = undefined
      void load()
    })
  }
  const discard = () => {
    newest++
    stopWaiting?.()
    stopWaiting = undefined
  }
  const endFresh = live.onFresh(() => void load())
  const end = () => {
    endFresh()
    discard()
  }
  return { error, load, loadSoon, discard, end }
}
