import { createWindow, type Window, type WindowKind } from './rate-window.ts'

/** How a scenario spends a window: down to this many requests, until it resets or until the scenario is cleared. */
export interface Spent {
  readonly amount: number
  readonly until: 'reset' | 'cleared'
}

/**
 * A window that a scenario has spent. It begins with the first request and lasts its whole length at any time of day: a
 * calendar minute could end a millisecond later. After it, windows run as usual.
 */
export class SpentWindow implements Window {
  readonly #kind: WindowKind
  readonly #length: number
  readonly #largest: number
  readonly #spent: Spent
  #window: Window | undefined
  #end = -Infinity

  constructor(kind: WindowKind, length: number, largest: number, spent: Spent) {
    this.#kind = kind
    this.#length = length
    this.#largest = largest
    this.#spent = spent
  }

  remaining(limit: number, at: number): number {
    return this.#at(at).remaining(limit, at)
  }

  add(amount: number, at: number): void {
    this.#at(at).add(amount, at)
  }

  resetAt(limit: number, at: number): number {
    return this.#at(at).resetAt(limit, at)
  }

  clone(): Window {
    const copy = new SpentWindow(this.#kind, this.#length, this.#largest, this.#spent)
    copy.#window = this.#window?.clone()
    copy.#end = this.#end
    return copy
  }

  /** Returns the window at a time. */
  #at(at: number): Window {
    const isFirst = this.#window === undefined
    if (this.#window && at < this.#end) return this.#window
    if (isFirst || this.#spent.until === 'cleared') {
      this.#window = createWindow('first-request', this.#length, this.#largest)
      this.#window.add(this.#spent.amount, at)
      this.#end = at + this.#length
    } else {
      this.#window = createWindow(this.#kind, this.#length, this.#largest)
      this.#end = Infinity
    }
    return this.#window
  }
}
