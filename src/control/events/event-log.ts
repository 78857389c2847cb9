import { printFailure } from '../../core/definitions/reason.ts'
import { toJson } from '../../core/http/json.ts'
import { after, systemNow } from '../../core/time/clock.ts'
import { setImmediate } from '../../core/time/system-time.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import type { FeedEvent } from '../feed.ts'
import { identityOfServer } from '../identity.ts'
import { EventDrafts } from './drafts.ts'
import { EventRing, type KeptEvent } from './event-ring.ts'
import type { EventDraft } from './record-drafts.ts'
import type { GapEvent } from './types.ts'

const ringSize = 2 ** 21

/** How long to keep events after the last reader left, in milliseconds of real time: a reloaded page is back long before. */
const keptFor = 60_000

const maxDrafts = 1_000

interface EventQuery {
  readonly last: string | undefined
  isWanted(event: KeptEvent): boolean
}

/** The numbered events of a Greenhouse. Recording begins with the first reader and ends a while after the last one. */
export class EventLog {
  readonly #greenhouse: Greenhouse
  readonly #readers = new Set<(event: KeptEvent) => void>()
  #recording: Recording | undefined
  #stopForgetting: (() => void) | undefined

  constructor(greenhouse: Greenhouse) {
    this.#greenhouse = greenhouse
  }

  /**
   * Calls `listener` with the events after the reader's last one, or with a `gap`, and then with every event. Returns a function
   * that unsubscribes.
   */
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
    this.#stopForgetting = after(
      keptFor,
      () => {
        this.#recording?.end()
        this.#recording = undefined
      },
      false,
    )
  }
}

class Recording {
  /** Distinguishes its events from those of other recordings, even after a restart of the process. */
  readonly #name = systemNow().toString(36)
  readonly #greenhouse: Greenhouse
  readonly #ring = new EventRing(ringSize)
  readonly #drafts: EventDrafts
  readonly #readers: ReadonlySet<(event: KeptEvent) => void>
  readonly end: () => void
  #last = 0
  #isWaiting = false

  constructor(greenhouse: Greenhouse, readers: ReadonlySet<(event: KeptEvent) => void>) {
    this.#greenhouse = greenhouse
    this.#drafts = new EventDrafts(greenhouse)
    this.#readers = readers
    const stopRequests = greenhouse.observe((record) => {
      this.#drafts.addRequest(record)
      this.#notifySoon()
    })
    const stopChanges = greenhouse.observeChanges((change) => {
      // After a clear, the secrets of waiting events are no longer known, so they are sent now.
      if (change.type === 'journal-cleared') this.#notify()
      this.#drafts.add(change)
      this.#notifySoon()
    })
    this.end = () => {
      stopRequests()
      stopChanges()
    }
  }

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

  #notifySoon(): void {
    if (this.#drafts.size >= maxDrafts) return this.#notify()
    if (this.#isWaiting) return
    this.#isWaiting = true
    setImmediate(() => {
      this.#isWaiting = false
      this.#notify()
    })
  }

  #notify(): void {
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

function dataOf(draft: EventDraft): string | undefined {
  try {
    const value = draft.make()
    return value && toJson(value)
  } catch (error) {
    printFailure('Greenhouse failed to report a change:', error)
    return undefined
  }
}
