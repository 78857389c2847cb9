import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ControlApi, ControlMessage } from '../../control/client/control-api.ts'
import { TokenError } from '../../control/client/errors.ts'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { ControlEventType } from './control.ts'

/** `rejected`: the server does not let this page read; `crowded`: too many pages are open. */
export type Connection = 'connecting' | 'live' | 'lost' | 'needs-token' | 'rejected' | 'crowded'

export type ReadonlySignals<T> = {
  readonly [Name in keyof T]: T[Name] extends Signal<infer V> ? ReadonlySignal<V> : T[Name]
}

export type StreamEvent<Type = ControlEventType> = Extract<ControlMessage, { readonly type: Type }>

export type Live = ReadonlySignals<EventStream>

/**
 * The pause between two batches of events, in milliseconds: nobody reads faster, and drawing every
 * frame takes a whole core.
 */
const pause = 100

/** How many events are read before the page may draw and answer keys. */
const maxAtOnce = 100

/**
 * Gives its listeners the events of the world that is shown. A hidden page follows none, and reads
 * all again when it is shown.
 */
export class EventStream {
  readonly connection = signal<Connection>('connecting')
  readonly restarts = signal(0)
  #control: ControlApi
  #world: ReadonlySignal<string>
  #listeners = new Set<StreamListener>()
  #fresh = new Set<() => void>()
  #restarted = new Set<() => void>()
  /** The server whose events are followed. */
  #server: string | undefined
  #aborter = new AbortController()
  #waiting: StreamEvent[] = []
  #isRestarted = false
  #lastAt = -Infinity

  constructor(control: ControlApi, world: ReadonlySignal<string>) {
    this.#control = control
    this.#world = world
    document.addEventListener('visibilitychange', this.#listenIfShown)
  }

  on<Type extends ControlEventType>(
    types: readonly Type[],
    listener: (events: readonly StreamEvent<Type>[]) => void,
  ) {
    return addRemovable(this.#listeners, {
      types: new Set<string>(types),
      listener,
    })
  }

  /** Calls `listener` whenever loaded data may be outdated: a stream began. */
  onFresh(listener: () => void) {
    return addRemovable(this.#fresh, listener)
  }

  /**
   * Calls `listener` before the events of a restarted server: the panel's state is then obsolete.
   */
  onRestart(listener: () => void) {
    return addRemovable(this.#restarted, listener)
  }

  /**
   * Opens the stream again: for another world, which another process may have, or with another
   * token.
   */
  readonly follow = () => {
    this.#server = undefined
    this.connection.value = 'connecting'
    this.#listenIfShown()
  }

  readonly end = () => {
    document.removeEventListener('visibilitychange', this.#listenIfShown)
    this.#aborter.abort()
  }

  #listenIfShown = () => {
    this.#aborter.abort()
    this.#aborter = new AbortController()
    if (!document.hidden) void this.#listen(this.#aborter.signal)
  }

  async #listen(signal: AbortSignal) {
    try {
      let read = 0
      for await (const messages of this.#control.events(signal)) {
        for (const message of messages) this.#take(message)
        read += messages.length
        if (read < maxAtOnce) continue
        read = 0
        await new Promise<void>((resolve) => void after(0, resolve))
      }
    } catch (error) {
      if (signal.aborted) return
      this.connection.value = error instanceof TokenError ? 'needs-token' : 'rejected'
    }
  }

  #take(message: ControlMessage) {
    if (message.type === 'open') this.connection.value = 'live'
    else if (message.type === 'lost')
      this.connection.value = message.error?.code === 'too_many_streams' ? 'crowded' : 'lost'
    else {
      if (message.type === 'start') this.#meet(message.data.server)
      if (this.#isOurs(message)) this.#wait(message)
    }
  }

  /** Forgets what the server before sent. */
  #meet(server: string) {
    if (this.#server !== undefined && this.#server !== server) {
      this.#isRestarted = true
      this.#waiting = []
    }
    this.#server = server
  }

  #isOurs({ data }: StreamEvent) {
    return !('world' in data) || data.world === this.#world.peek()
  }

  #wait(event: StreamEvent) {
    if (this.#waiting.push(event) > 1) return
    const rest = Math.max(0, this.#lastAt + pause - monotonicNow())
    after(rest, () => requestAnimationFrame(() => this.#deliver()))
  }

  #deliver() {
    this.#lastAt = monotonicNow()
    const events = this.#waiting
    this.#waiting = []
    batch(() => {
      if (this.#isRestarted) {
        this.restarts.value++
        for (const listener of this.#restarted) listener()
      }
      this.#isRestarted = false
      for (const { types, listener } of this.#listeners) {
        // Another world may be shown by now.
        const wanted = events.filter((event) => types.has(event.type) && this.#isOurs(event))
        if (wanted.length > 0) listener(wanted)
      }
      if (events.some(({ type }) => type === 'start'))
        for (const listener of this.#fresh) listener()
    })
  }
}

type StreamListener = {
  types: ReadonlySet<string>

  listener(events: readonly StreamEvent[]): void
}

function addRemovable<T>(set: Set<T>, member: T): () => void {
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
  live: Live,
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
  return {
    error,
    load,
    loadSoon,
    discard,
    end,
  }
}
