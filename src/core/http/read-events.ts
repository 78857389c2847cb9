export interface ServerEvent {
  readonly id: string | undefined
  readonly type: string
  readonly data: string
}

const longestEvent = 2 ** 26

/**
 * Reads server-sent events; yields those of a chunk together. Drops an incomplete event at the end. @throws whatever
 * reading the stream throws; RangeError for an event without an end.
 */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent[]> {
  const decoder = new TextDecoder()
  // Not every browser can iterate over a stream.
  const reader = stream.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop()!
      if (rest.length > longestEvent)
        throw new RangeError(`The server sent an event of more than ${longestEvent} characters.`)
      const events = blocks.flatMap(toEvent)
      if (events.length > 0) yield events
    }
  } finally {
    // A stream that failed rejects this too.
    void reader.cancel().catch(() => undefined)
  }
}

/** A block without data, such as a comment that keeps the connection open, is no event. */
function toEvent(block: string): ServerEvent[] {
  let id: string | undefined
  let type = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (name === 'id') id = value
    else if (name === 'event') type = value
    else if (name === 'data') data.push(value)
  }
  return data.length === 0 ? [] : [{ id, type, data: data.join('\n') }]
}
