import type { WebhookTransport } from '../../core/http/webhook-transport.ts'
import type { Catalogue } from '../../catalogue/fold-areas.ts'

/**
 * What sends the webhooks of a Greenhouse: the server that began last, or a fallback
 * where there has been none.
 */
export class Transports {
  readonly #deliveries: Catalogue['deliveries']
  readonly #fallback: WebhookTransport | undefined
  readonly #hosts: ReadonlySet<string>
  readonly #running: WebhookTransport[] = []
  #hasClosed = false

  /**
   * @param deliveries `undefined` if no area has webhooks
   * @param hosts the hosts without connections, such as MSW
   */
  constructor(
    deliveries: Catalogue['deliveries'],
    allow: readonly string[] = [],
    hosts: ReadonlySet<string>,
  ) {
    this.#deliveries = deliveries
    this.#hosts = hosts
    this.#fallback = deliveries?.createTransport(allow, () => hosts.has('MSW'))
  }

  current(): WebhookTransport {
    const running = this.#running.at(-1)
    if (running) return running
    const isClosed = this.#hasClosed && !this.#hosts.has('MSW')
    if (isClosed) return this.#deliveries!.closedTransport
    return this.#fallback!
  }

  /** Returns a function that removes the transport, and returns whether it was the last one. */
  add(transport: WebhookTransport): () => boolean {
    this.#running.push(transport)
    return () => {
      this.#running.splice(this.#running.indexOf(transport), 1)
      if (this.#running.length > 0) return false
      this.#hasClosed = true
      return true
    }
  }
}
