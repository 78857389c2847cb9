import { printFailure } from '../definitions/reason.ts'

/** Background work that no request waits for: deliveries. */
export class Background {
  #running: Set<Promise<unknown>> | undefined

  /** Whether any work is running. */
  get isBusy(): boolean {
    return this.#running !== undefined && this.#running.size > 0
  }

  add(work: Promise<unknown>): void {
    const running = (this.#running ??= new Set())
    const tracked = work
      .catch((error: unknown) => printFailure('Greenhouse failed to do scheduled work:', error))
      .finally(() => running.delete(tracked))
    running.add(tracked)
  }

  /** Waits until some of the running work ends. */
  async progressed(): Promise<void> {
    await Promise.race(this.#running ?? [])
  }
}
