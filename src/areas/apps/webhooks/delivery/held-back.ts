import type { Delivery } from '../schemas.ts'

/**
 * The deliveries of a world that wait until a later one to the same webhook was sent. No record has
 * this: after a restore they wait only for their time.
 */
export class HeldBack {
  readonly #byWebhook = new Map<string, Set<string>>()

  add({ id, webhook }: Readonly<Delivery>): void {
    this.#byWebhook.set(webhook, (this.#byWebhook.get(webhook) ?? new Set()).add(id))
  }

  isHolding(webhook: string): boolean {
    return this.#byWebhook.has(webhook)
  }

  /** Ends the wait at a webhook, and returns the ids of the deliveries that waited. */
  release(webhook: string): Iterable<string> {
    const ids = this.#byWebhook.get(webhook) ?? []
    this.#byWebhook.delete(webhook)
    return ids
  }
}
