import { printFailure } from '../contract/errors.ts'

export class Background {
  #running: Set<Promise<unknown>> | undefined

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

  async progressed(): Promise<void> {
    await Promise.race(this.#running ?? [])
  }
}
