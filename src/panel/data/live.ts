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

/** The pause between two batches of events, in milliseconds: nobody reads faster, and drawing every frame takes a whole core. */
const pause = 100

const maxWaiting = 500

/**
 * Gives its listeners the events of the world that is shown. A hidden page follows none; when it is shown, it gets what it missed.
 * @param locks elects the page that listens for all pages of a browser; without it, each listens itself.
 */
export function createLive(control: ControlApi, world: ReadonlySignal<string>, locks: LockManager | undefined) {
  const connection = signal<Connection>('connecting')
  const listeners = new Set<Listener>()
  const fresh = new Set<() => void>()
  const restarts = signal(0)
  const restarted = new Set<() => void>()
  /** The server whose events are followed, and the id of the last one. */
  let server: string | undefined
  let last: ReturnType<typeof toEventId> | undefined
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
      if (events.some(({ type }) => type === 'gap')) refresh()
    })
  }
  const takeEvent = (event: StreamEvent) => {
    const id = toEventId(event.id!)
    if (event.type === 'gap') {
      if (server !== undefined && server !== event.data.server) {
        isRestarted = true
        // Those are from the server before.
        waiting = []
      }
      server = event.data.server
    } else if (last?.log === id.log) {
      // Two pages may pass on the same event. Without a number, this page may have missed it.
      if (id.number <= last.number) return
      if (id.number > last.number + 1) refresh()
    }
    last = id
    if (event.type !== 'world' && !isOurs(event)) return
    waiting.push(event)
    if (waiting.length >= maxWaiting) return deliver()
    if (isScheduled) return
    isScheduled = true
    after(Math.max(0, lastAt + pause - monotonicNow()), () => requestAnimationFrame(deliver))
  }
  const take = (message: ControlMessage) => {
    if (message.type === 'open') {
      connection.value = 'live'
      // A new stream begins with a gap. A resumed one was interrupted: what was loaded meanwhile may be outdated.
      if (message.isAgain) refresh()
    } else if (message.type === 'lost')
      connection.value = message.error?.code === 'too_many_streams' ? 'crowded' : 'lost'
    else takeEvent(message)
  }

  let isReading = false
  const takePassed = (messages: readonly ControlMessage[]) => {
    for (const message of messages)
      if (message.type !== 'open' && message.type !== 'lost') takeEvent(message)
      // While two pages read, each knows its own connection.
      else if (!isReading) take({ ...message, isAgain: connection.peek() !== 'live' } as ControlMessage)
  }

  const listen = async (page: AbortSignal) => {
    let group: Group | undefined
    let taken: AbortSignal | undefined
    try {
      while (!page.aborted) {
        const reading = new AbortController()
        const stop = () => reading.abort()
        page.addEventListener('abort', stop)
        taken?.addEventListener('abort', stop)
        isReading = true
        const lastId = last && `${last.log}-${last.number}`
        for await (const messages of control.events({ signal: reading.signal, lastId })) {
          messages.forEach(take)
          if (locks && server !== undefined && group?.server !== server) {
            group?.leave()
            group = joinGroup(locks, server, takePassed)
            // The page that was shown last reads: it may have missed events.
            taken = await group.hold({ steal: true })
            taken.addEventListener('abort', stop)
          }
          group?.pass(messages)
        }
        isReading = false
        taken = await group?.hold({ signal: page })
      }
    } catch (error) {
      if (!page.aborted) connection.value = error instanceof TokenError ? 'needs-token' : 'rejected'
    } finally {
      isReading = false
      group?.leave()
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
    /** @param isOfAll whether it gets the events of all worlds; only those of the type `world` are kept for it. */
    on: <Type extends ControlEventType>(
      types: readonly Type[],
      listener: (events: readonly StreamEvent<Type>[]) => void,
      isOfAll = false,
    ) => addTo(listeners, { types: new Set<string>(types), listener: listener as Listener['listener'], isOfAll }),
    /** Calls `listener` whenever loaded data may be outdated: the stream began, or events are missing. */
    onFresh: (listener: () => void) => addTo(fresh, listener),
    /** Calls `listener` before the events of a restarted server: the panel's state is then obsolete. */
    onRestart: (listener: () => void) => addTo(restarted, listener),
    /** Opens the stream again: for another world, which another process may have, or with another token. */
    follow() {
      server = last = undefined
      connection.value = 'connecting'
      listenIfShown()
    },
    end() {
      document.removeEventListener('visibilitychange', listenIfShown)
      aborter.abort()
    },
  }
}

type Listener = { types: ReadonlySet<string>; isOfAll: boolean; listener(events: readonly StreamEvent[]): void }

function addTo<T>(set: Set<T>, member: T): () => void {
  set.add(member)
  return () => void set.delete(member)
}

/** The events of a log have the numbers 1, 2, 3, … */
function toEventId(id: string) {
  const [log, number] = id.split('-') as [string, string]
  return { log, number: Number(number) }
}

type Group = ReturnType<typeof joinGroup>

/** Joins the pages of this browser that follow the same server. One of them holds its lock and reads the stream for all. */
function joinGroup(locks: LockManager, server: string, onPassed: (messages: readonly ControlMessage[]) => void) {
  const name = `greenhouse ${server}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<readonly ControlMessage[]>) => onPassed(data)
  let release = () => {}
  let hasLeft = false
  return {
    server,
    /** Waits for the lock. Returns a signal that aborts when another page takes it. */
    hold: (options: LockOptions) =>
      new Promise<AbortSignal>((resolve, reject) => {
        const taken = new AbortController()
        const held = async () => {
          resolve(taken.signal)
          if (!hasLeft) await new Promise<void>((done) => (release = done))
        }
        locks.request(name, options, held).catch((error: Error) => {
          taken.abort()
          reject(error)
        })
      }),
    pass(messages: readonly ControlMessage[]) {
      // Each page finds the gaps in its events itself. An error cannot be sent whole.
      const passed = messages.filter(({ type }) => type !== 'gap')
      channel.postMessage(
        passed.map((one) => (one.type === 'lost' ? { ...one, error: one.error && { code: one.error.code } } : one)),
      )
    },
    leave() {
      hasLeft = true
      release()
      channel.close()
    },
  }
}

/** The time between two reads because of events, in milliseconds. */
const readPause = 250

export type Reading = ReturnType<typeof latest>

/**
 * Reads data, again whenever the stream begins: it may be outdated. Only the newest read counts, in whatever order answers come.
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
