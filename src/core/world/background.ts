import { report } from '../definitions/reason.ts'

/** What a world does by itself while nobody asks: changes that fell due, which requests wait for, and work outside that they do not. */
export class Background {
  readonly #changes = new Set<Promise<unknown>>()
  readonly #errands = new Set<Promise<unknown>>()

  /** Whether a change is under way. */
  get isChanging(): boolean {
    return this.#changes.size > 0
  }

  /** Whether anything is under way. */
  get isBusy(): boolean {
    return this.#changes.size + this.#errands.size > 0
  }

  /** Notes a change that is under way. */
  change(work: Promise<unknown>): void {
    note(this.#changes, work)
  }

  /** Notes work that no request waits for: a delivery, say. */
  errand(work: Promise<unknown>): void {
    note(this.#errands, work)
  }

  /** Waits for the changes that are under way. */
  async changed(): Promise<void> {
    await Promise.all(this.#changes)
  }

  /** Waits for something that is under way. */
  async progressed(): Promise<void> {
    await Promise.race([...this.#changes, ...this.#errands])
  }
}

function note(running: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const noted = work
    .catch((error: unknown) => report('Greenhouse failed to do what was due:', error))
    .finally(() => running.delete(noted))
  running.add(noted)
}
