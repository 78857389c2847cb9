import type { ServerResponse } from 'node:http'
import { toEntry } from '../core/journal/journal-entry.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Journal } from '../greenhouse/journal.ts'
import { toJson } from '../core/http/json.ts'
import { ControlError } from './errors.ts'

/** How much may wait for a listener that does not read, in bytes; then it is let go. */
const maxBufferedBytes = 2 ** 20

/** How long a listener that was let go may take to read what waits for it, in milliseconds. */
const lastRead = 10_000

/** How many streams there are at once. */
const mostStreams = 100

/** The last event of a stream that was not read. */
const overflow = `event: closed\ndata: ${JSON.stringify({ reason: 'overflow', message: `More than ${maxBufferedBytes} bytes of events were not read. Open the stream anew, and see GET …/journal for what was missed.` })}\n\n`

/** The journals' streams of one server. */
export class Streams {
  /** What ends each. */
  readonly #open = new Map<ServerResponse, () => void>()
  #closed = false
  /** The newest entry as it is sent, made once for all listeners. */
  #newest: { readonly note: JournalRecord; readonly leftAt: number; readonly event: string } | undefined

  /**
   * Sends every entry from now on, as a server-sent event each, until the journal ends or the client goes away.
   * @throws ControlError 409 when there are as many streams as there can be.
   */
  send(response: ServerResponse, journal: Journal): void {
    if (response.destroyed) return
    const isOver = this.#closed || response.req.method === 'HEAD'
    if (!isOver && this.#open.size >= mostStreams)
      throw new ControlError(
        409,
        'too_many_streams',
        `There are ${mostStreams} journal streams already: close one, or read GET …/journal.`,
      )
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    if (isOver) return void response.end()
    const unsubscribe = journal.observe((note) => {
      if (!note) end()
      else if (response.writableLength <= maxBufferedBytes) response.write(this.#toEvent(note))
      else {
        response.write(overflow)
        response.setTimeout(lastRead, () => response.destroy())
        end()
      }
    })
    const end = () => {
      unsubscribe()
      response.end()
    }
    this.#open.set(response, end)
    response.on('close', () => {
      this.#open.delete(response)
      if (this.#open.size === 0) this.#newest = undefined
      unsubscribe()
    })
  }

  /** Ends all of them, and those to come. */
  close(): void {
    this.#closed = true
    for (const end of this.#open.values()) end()
  }

  #toEvent(note: JournalRecord): string {
    const { leftAt } = note
    if (this.#newest?.note !== note || this.#newest.leftAt !== leftAt)
      this.#newest = { note, leftAt, event: `data: ${toJson(toEntry(note))}\n\n` }
    return this.#newest.event
  }
}
