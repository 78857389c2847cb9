export type WindowKind = 'calendar' | 'first-request' | 'sliding'

/** A count of requests over a length of time. Times are in milliseconds and never run backwards between calls. */
export interface Window {
  remaining(limit: number, at: number): number
  add(amount: number, at: number): void
  /** When the window resets. For a sliding window: when its oldest request expires; over the limit, when the next request is allowed. */
  resetAt(limit: number, at: number): number
  clone(): Window
}

export function createWindow(kind: WindowKind, length: number): Window {
  return kind === 'sliding' ? new SlidingWindow(length) : new FixedWindow(length, kind === 'calendar')
}

class FixedWindow implements Window {
  readonly #length: number
  readonly #aligned: boolean
  #count = 0
  #end = -Infinity

  constructor(length: number, aligned: boolean) {
    this.#length = length
    this.#aligned = aligned
  }

  remaining(limit: number, at: number): number {
    return at < this.#end ? limit - this.#count : limit
  }

  add(amount: number, at: number): void {
    if (at >= this.#end) {
      this.#count = 0
      this.#end = this.#endOf(at)
    }
    this.#count += amount
  }

  resetAt(_limit: number, at: number): number {
    return at < this.#end ? this.#end : this.#endOf(at)
  }

  clone(): Window {
    const copy = new FixedWindow(this.#length, this.#aligned)
    copy.#count = this.#count
    copy.#end = this.#end
    return copy
  }

  #endOf(at: number): number {
    return this.#aligned ? (Math.floor(at / this.#length) + 1) * this.#length : at + this.#length
  }
}

/** The most times that a sliding window keeps exactly. The largest plan of the reference has as many requests a day. */
const maxExact = 100_000

/**
 * Keeps the times of the requests in the last `length` milliseconds. Requests at the same time are counted together; beyond
 * 100,000 times, so are the oldest.
 */
class SlidingWindow implements Window {
  readonly #length: number
  #times: number[] = []
  #counts: number[] = []
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
    if (amount <= 0) return
    const last = this.#times.length - 1
    if (last >= this.#head && this.#times[last] === at) this.#counts[last]! += amount
    else {
      this.#times.push(at)
      this.#counts.push(amount)
    }
    this.#size += amount
    if (this.#times.length - this.#head > 2 * maxExact) this.#mergeOldest()
  }

  resetAt(limit: number, at: number): number {
    this.#expire(at)
    if (this.#size === 0) return at + this.#length
    return this.#times[this.#size > limit ? this.#indexFromNewest(limit) : this.#head]! + this.#length
  }

  clone(): Window {
    const copy = new SlidingWindow(this.#length)
    copy.#times = this.#times.slice(this.#head)
    copy.#counts = this.#counts.slice(this.#head)
    copy.#size = this.#size
    return copy
  }

  #indexFromNewest(count: number): number {
    let index = this.#times.length - 1
    for (let left = count - this.#counts[index]!; left > 0; left -= this.#counts[index]!) index--
    return index
  }

  #mergeOldest(): void {
    let last = this.#head
    for (let index = last; index < this.#times.length; index++) {
      const isSecond = index < this.#times.length - maxExact && (index - this.#head) % 2 === 1
      const first = isSecond ? this.#counts[--last]! : 0
      this.#counts[last] = first + this.#counts[index]!
      this.#times[last++] = this.#times[index]!
    }
    this.#times.length = this.#counts.length = last
  }

  #expire(at: number): void {
    while (this.#head < this.#times.length && this.#times[this.#head]! <= at - this.#length)
      this.#size -= this.#counts[this.#head++]!
    if (this.#head > 1_024 && this.#head * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#head)
      this.#counts = this.#counts.slice(this.#head)
      this.#head = 0
    }
  }
}
