export type WindowKind = 'calendar' | 'first-request' | 'sliding'

/**
 * A count of requests over a length of time. Times are in milliseconds and never run backwards
 * between calls.
 */

export interface Window {
  remaining(limit: number, at: number): number
  add(amount: number, at: number): void
  /**
   * When the window resets. For a sliding window: when its oldest request expires; over the limit,
   * when the next request is allowed.
   */
  resetAt(limit: number, at: number): number
  clone(): Window
}

export function createWindow(kind: WindowKind, length: number): Window {
  if (kind === 'sliding') return new SlidingWindow(length)
  return new FixedWindow(length, kind === 'calendar')
}

/** Counts until its end, then begins again with the next request. */
class FixedWindow implements Window {
  readonly #length: number
  /** True if it ends with a minute or day of the calendar, not a whole length after it began. */
  readonly #isAligned: boolean
  #count = 0
  #end = -Infinity

  constructor(length: number, aligned: boolean) {
    this.#length = length
    this.#isAligned = aligned
  }

  remaining(limit: number, at: number): number {
    if (at < this.#end) return limit - this.#count
    return limit
  }

  add(amount: number, at: number): void {
    if (at >= this.#end) {
      this.#count = 0
      this.#end = this.#endOf(at)
    }
    this.#count += amount
  }

  resetAt(_limit: number, at: number): number {
    if (at < this.#end) return this.#end
    return this.#endOf(at)
  }

  clone(): Window {
    const copy = new FixedWindow(this.#length, this.#isAligned)
    copy.#count = this.#count
    copy.#end = this.#end
    return copy
  }

  #endOf(at: number): number {
    if (this.#isAligned) return (Math.floor(at / this.#length) + 1) * this.#length
    return at + this.#length
  }
}

/**
 * The most times that a sliding window keeps exactly. The largest plan of the reference has as many
 * requests a day.
 */
const maxExactTimes = 100_000

interface CountedRequests {
  readonly at: number
  readonly count: number
}

/**
 * Counts the requests of the last length of time. Requests at the same time are one item; beyond
 * 100,000 items, the oldest are merged.
 */
class SlidingWindow implements Window {
  readonly #length: number
  /** Oldest first; those before `#head` have expired. */
  #counted: CountedRequests[] = []
  #head = 0
  #size = 0

  constructor(length: number) {
    this.#length = length
  }

  remaining(limit: number, at: number): number {
    this.#expire(at)
    return limit - this.#size
  }

  add(amount: number, at: number): void {
    this.#expire(at)
    this.#size += amount
    let count = amount
    const last = this.#counted.at(-1)
    if (last?.at === at) {
      count += last.count
      this.#counted.pop()
    }
    this.#counted.push({ at, count })
    if (this.#counted.length - this.#head > 2 * maxExactTimes) this.#mergeOldest()
  }

  resetAt(limit: number, at: number): number {
    this.#expire(at)
    let next = this.#counted[this.#head]
    if (this.#size > limit) {
      // As soon as this item expires, only the newer ones count, and they are below the limit.
      let newer = 0
      next = this.#counted.findLast(({ count }) => {
        newer += count
        return newer >= limit
      })
    }
    return (next?.at ?? at) + this.#length
  }

  clone(): Window {
    const copy = new SlidingWindow(this.#length)
    copy.#counted = this.#counted.slice(this.#head)
    copy.#size = this.#size
    return copy
  }

  /** Merges each two of the oldest items, at the time of the second. */
  #mergeOldest(): void {
    const oldest = this.#counted.slice(this.#head, -maxExactTimes)
    const merged = oldest.flatMap(({ at, count }, index) => {
      if (index % 2 === 1) return []
      const second = oldest[index + 1] ?? {
        at,
        count: 0,
      }
      return {
        at: second.at,
        count: count + second.count,
      }
    })
    this.#counted = merged.concat(this.#counted.slice(-maxExactTimes))
    this.#head = 0
  }

  #expire(at: number): void {
    // Expired items are only passed; when they are most of the list, they are removed at once.
    let oldest = this.#counted[this.#head]
    while (oldest && oldest.at <= at - this.#length) {
      this.#size -= oldest.count
      oldest = this.#counted[++this.#head]
    }
    if (this.#head > 1_024 && this.#head * 2 > this.#counted.length) {
      this.#counted = this.#counted.slice(this.#head)
      this.#head = 0
    }
  }
}

/**
 * A window of a scenario, which begins partly or wholly spent. It begins with the first request and
 * lasts its whole length: a calendar minute could end a millisecond later.
 */
export class SpentWindow implements Window {
  readonly #kind: WindowKind
  readonly #length: number
  /** The requests that count as made when it begins. */
  readonly #spent: number
  readonly #until: WindowLeft['until']
  #window: Window | undefined
  #end = -Infinity

  constructor(kind: WindowKind, length: number, spent: number, until: WindowLeft['until']) {
    this.#kind = kind
    this.#length = length
    this.#spent = spent
    this.#until = until
  }

  remaining(limit: number, at: number): number {
    return this.#windowAt(at).remaining(limit, at)
  }

  add(amount: number, at: number): void {
    this.#windowAt(at).add(amount, at)
  }

  resetAt(limit: number, at: number): number {
    return this.#windowAt(at).resetAt(limit, at)
  }

  clone(): Window {
    const copy = new SpentWindow(this.#kind, this.#length, this.#spent, this.#until)
    copy.#window = this.#window?.clone()
    copy.#end = this.#end
    return copy
  }

  /** Returns the window that counts at a time: a spent one, or after a reset an ordinary one. */
  #windowAt(at: number): Window {
    if (this.#window && at < this.#end) return this.#window
    if (this.#window && this.#until === 'reset') {
      this.#end = Infinity
      return (this.#window = createWindow(this.#kind, this.#length))
    }
    this.#end = at + this.#length
    this.#window = new FixedWindow(this.#length, false)
    this.#window.add(this.#spent, at)
    return this.#window
  }
}

/** How many requests a scenario leaves, until the window resets or the scenario is switched off. */
export interface WindowLeft {
  readonly remaining: number
  readonly until: 'reset' | 'cleared'
}
