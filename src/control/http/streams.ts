import type { ServerResponse } from 'node:http'
import { limitPauses } from '../../node-http/slow-readers.ts'
import { ControlError } from '../errors.ts'
import type { EventFeed, FeedEvent } from '../feed.ts'

/** The most unread bytes of a reader, before it is disconnected. */
const maxBufferedBytes = 2 ** 20

/** The time that such a reader has to read them, in milliseconds. */
const lastRead = 10_000

const maxStreams = 100

const overflow = toText({
  type: 'closed',
  data: JSON.stringify({
    reason: 'overflow',
    message: `More than ${maxBufferedBytes} bytes of events were not read. Open the stream again, and read GET …/journal for what you missed.`,
  }),
})

export class Streams {
  readonly #open = new Map<ServerResponse, () => void>()
  #closed = false

  send(response: ServerResponse, feed: EventFeed): void {
    if (response.destroyed) return
    const isOver = this.#closed || response.req.method === 'HEAD'
    if (!isOver && this.#open.size >= maxStreams)
      throw new ControlError(
        409,
        'too_many_streams',
        `There are ${maxStreams} streams already: close one, or read GET …/journal.`,
      )
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    if (isOver) return void response.end()
    let isOpen = true
    let unsubscribe = () => {}
    const end = () => {
      isOpen = false
      unsubscribe()
      response.end()
    }
    this.#open.set(response, end)
    response.on('close', () => {
      this.#open.delete(response)
      isOpen = false
      unsubscribe()
    })
    // Does not limit the missed events, which come immediately and are bounded.
    let allowed = Infinity
    unsubscribe = feed.subscribe((event) => {
      if (!isOpen) return
      if (!event) end()
      else if (response.writableLength <= allowed) response.write(toText(event))
      else {
        response.write(overflow)
        limitPauses(response, lastRead)
        end()
      }
    })
    allowed = maxBufferedBytes + response.writableLength
    // The feed may have ended already.
    if (!isOpen) unsubscribe()
  }

  close(): void {
    this.#closed = true
    for (const end of this.#open.values()) end()
  }
}

function toText({ id, type, data }: FeedEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}
