import { createWindow, type Window, type WindowKind } from './rate-window.ts'

export interface Spent {
  readonly amount: number
  readonly until: 'reset' | 'cleared'
}

/**
 * A window that a scenario has spent. It begins with the first request and lasts its whole length at any time of day: a calendar minute
 * could end a millisecond later. The windows after it run as usual, or are spent too until the scenario is cleared.
 */
export class SpentWindow implements Window {
  readonly #kind: WindowKind
  readonly #length: number
  readonly #spent: Spent
  #window: Window | undefined
  #end = -Infinity

  constructor(kind: WindowKind, length: number, spent: Spent) {
    this.#kind = kind
    this.#length = length
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
    const copy = new SpentWindow(this.#kind, this.#length, this.#spent)
    copy.#window = this.#window?.clone()
    copy.#end = this.#end
    return copy
  }

  #at(at: number): Window {
    const isFirst = this.#window === undefined
    if (this.#window && at < this.#end) return this.#window
    if (isFirst || this.#spent.until === 'cleared') {
      this.#window = createWindow('first-request', this.#length)
      this.#window.add(this.#spent.amount, at)
      this.#end = at + this.#length
    } else {
      this.#window = createWindow(this.#kind, this.#length)
      this.#end = Infinity
    }
    return this.#window
  }
}
