export class NewestNames {
  readonly #names = new Set<string>()
  readonly #max: number

  /** @param max how many names to keep; at times, 1 % more are kept. */
  constructor(max: number) {
    this.#max = max
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  add(name: string): void {
    this.#names.add(name)
    // Deletes several at once: finding a set's oldest entry takes longer after many deletions.
    if (this.#names.size <= this.#max * 1.01) return
    for (const oldest of this.#names) {
      if (this.#names.size <= this.#max) return
      this.#names.delete(oldest)
    }
  }

  delete(name: string): boolean {
    return this.#names.delete(name)
  }
}
