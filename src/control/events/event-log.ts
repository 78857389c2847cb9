import { report } from '../../core/definitions/reason.ts'
import { toJson } from '../../core/http/json.ts'
import { after, systemNow } from '../../core/time/clock.ts'
import { setImmediate } from '../../core/time/system-time.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import type { FeedEvent } from '../feed.ts'
import { identityOfServer } from '../identity.ts'
import type { Draft } from './draft.ts'
import { Drafts } from './drafts.ts'
import { EventRing, type KeptEvent } from './event-ring.ts'
import type { GapEvent } from './types.ts'

/** How much is kept for readers that come back, in bytes. */
const ringSize = 2 ** 21

/** How long after the last reader left, in milliseconds of real time: a page that is loaded again is back long before. */
const keptFor = 60_000

/** How many changes of one turn wait for its end. */
const mostDrafts = 1_000

/** What one reader wants. */
export interface EventQuery {
  /** The event that was read last. */
  readonly last: string | undefined
  isWanted(event: KeptEvent): boolean
}

/** The events of a Greenhouse, numbered. They begin with the first reader and end a while after the last one. */
export class EventLog {
  readonly #greenhouse: Greenhouse
  readonly #readers = new Set<(event: KeptEvent) => void>()
  #recording: Recording | undefined
  #stopForgetting: (() => void) | undefined

  constructor(greenhouse: Greenhouse) {
    this.#greenhouse = greenhouse
  }

  /** Calls back with what came after the event that was read last, or with a `gap`, and then with every event. Returns what ends it. */
  subscribe({ last, isWanted }: EventQuery, listener: (event: FeedEvent) => void): () => void {
    this.#stopForgetting?.()
    const recording = (this.#recording ??= new Recording(this.#greenhouse, this.#readers))
    const reader = (event: KeptEvent) => isWanted(event) && listener(event)
    const missed = recording.after(last)
    if (missed) missed.forEach(reader)
    else listener(recording.toGap(last))
    this.#readers.add(reader)
    return () => {
      if (this.#readers.delete(reader) && this.#readers.size === 0) this.#forgetLater()
    }
  }

  #forgetLater(): void {
    const stopWaiting = after(
      keptFor,
      () => {
        this.#recording?.end()
        this.#recording = undefined
      },
      false,
    )
    this.#stopForgetting = stopWaiting
  }
}

/** Events from one time on. */
class Recording {
  /** Tells its events from those of others: this process may have been started anew, too. */
  readonly #name = systemNow().toString(36)
  readonly #greenhouse: Greenhouse
  readonly #ring = new EventRing(ringSize)
  readonly #drafts: Drafts
  readonly #readers: ReadonlySet<(event: KeptEvent) => void>
  readonly #stop: () => void
  #last = 0
  #isWaiting = false

  constructor(greenhouse: Greenhouse, readers: ReadonlySet<(event: KeptEvent) => void>) {
    this.#greenhouse = greenhouse
    this.#drafts = new Drafts(greenhouse)
    this.#readers = readers
    const stopRequests = greenhouse.observe((note) => {
      this.#drafts.addRequest(note)
      this.#tellSoon()
    })
    const stopChanges = greenhouse.observeChanges((change) => {
      // Afterwards nobody knows the secrets any more that what waits may hold.
      if (change.type === 'journal-cleared') this.#tell()
      this.#drafts.add(change)
      this.#tellSoon()
    })
    this.#stop = () => {
      stopRequests()
      stopChanges()
    }
  }

  end(): void {
    this.#stop()
  }

  /** What came after an event, or `undefined` when that can't be told. */
  after(id: string | undefined): readonly KeptEvent[] | undefined {
    const [, name, number] = /^([\da-z]{1,12})-(\d{1,15})$/.exec(id ?? '') ?? []
    return name === this.#name ? this.#ring.after(Number(number), this.#last) : undefined
  }

  toGap(id: string | undefined): FeedEvent {
    const gap: GapEvent = {
      reason: id === undefined ? 'start' : 'forgotten',
      server: identityOfServer(this.#greenhouse),
    }
    return { id: this.#toId(this.#last), type: 'gap', data: toJson(gap) }
  }

  #toId(number: number): string {
    return `${this.#name}-${number}`
  }

  #tellSoon(): void {
    if (this.#drafts.size >= mostDrafts) return this.#tell()
    if (this.#isWaiting) return
    this.#isWaiting = true
    setImmediate(() => {
      this.#isWaiting = false
      this.#tell()
    })
  }

  #tell(): void {
    for (const draft of this.#drafts.take()) {
      const { type, world } = draft
      const data = dataOf(draft)
      if (data === undefined) continue
      const number = ++this.#last
      const event: KeptEvent = { number, id: this.#toId(number), type, world, data }
      this.#ring.add(event)
      for (const reader of this.#readers) reader(event)
    }
  }
}

function dataOf(draft: Draft): string | undefined {
  try {
    const value = draft.make()
    return value && toJson(value)
  } catch (error) {
    report('Greenhouse failed to tell of a change:', error)
    return undefined
  }
}
