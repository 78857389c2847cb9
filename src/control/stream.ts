import type { ServerResponse } from 'node:http'
import type { Journal } from '../core/journal.ts'
import { toJson } from '../core/json.ts'

/** How much may wait for a listener that does not read, in bytes; then it is let go. */
const patience = 8 * 2 ** 20

/** The journals' streams of one server. */
export class Streams {
  readonly #open = new Set<ServerResponse>()
  #closed = false

  /** Sends every entry from now on, as a server-sent event each, until the journal ends or the client goes away. */
  send(response: ServerResponse, journal: Journal): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    if (this.#closed || response.req.method === 'HEAD') return void response.end()
    const unsubscribe = journal.subscribe((entry) => {
      if (!entry) response.end()
      else if (response.writableLength > patience) response.destroy()
      else response.write(`data: ${toJson(entry)}\n\n`)
    })
    this.#open.add(response)
    response.on('close', () => {
      this.#open.delete(response)
      unsubscribe()
    })
  }

  /** Ends all of them, and those to come. */
  close(): void {
    this.#closed = true
    for (const response of this.#open) response.end()
  }
}
