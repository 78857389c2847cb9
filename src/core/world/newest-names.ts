/** A set of names that forgets the oldest. */
export class NewestNames {
  readonly #names = new Set<string>()
  readonly #most: number

  /** @param most how many are remembered at least; at times it is one in a hundred more. */
  constructor(most: number) {
    this.#most = most
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  /** Adds a name that is not there. */
  add(name: string): void {
    this.#names.add(name)
    // Several at once: to find the oldest entry of a set takes longer the more were deleted before it.
    if (this.#names.size <= this.#most * 1.01) return
    for (const oldest of this.#names) {
      if (this.#names.size <= this.#most) return
      this.#names.delete(oldest)
    }
  }

  /** Forgets a name and tells whether it was there. */
  delete(name: string): boolean {
    return this.#names.delete(name)
  }
}
