import type { ServerResponse } from 'node:http'
import { toEntry } from '../../core/journal/journal-entry.ts'
import type { JournalRecord } from '../../core/journal/journal-record.ts'
import type { Journal } from '../../greenhouse/journal.ts'
import { toJson } from '../../core/http/json.ts'
import { ControlError } from '../errors.ts'

/** How many bytes may wait for a reader that does not read, before it is disconnected. */
const maxBufferedBytes = 2 ** 20

/** How long such a reader has to read what waits for it, in milliseconds. */
const lastRead = 10_000

/** The largest number of open streams. */
const mostStreams = 100

/** The last event of a stream that is closed because nobody reads it. */
const overflow = `event: closed\ndata: ${JSON.stringify({ reason: 'overflow', message: `More than ${maxBufferedBytes} bytes of events were not read. Open the stream anew, and see GET …/journal for what was missed.` })}\n\n`

/** The journal streams of one server. */
export class Streams {
  /** Ends a stream, by its response. */
  readonly #open = new Map<ServerResponse, () => void>()
  #closed = false
  /** The newest entry as an event, made once for all streams. */
  #newest: { readonly note: JournalRecord; readonly leftAt: number; readonly event: string } | undefined

  /**
   * Sends every new entry as a server-sent event, until the journal ends or the client disconnects.
   * @throws ControlError 409 when too many streams are open.
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

  /** Ends all streams. New ones end at once. */
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
