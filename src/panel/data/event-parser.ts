import type { StreamEvent } from './transport.ts'

export class EventParser {
  #rest = ''

  read(piece: string): StreamEvent[] {
    const parts = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    this.#rest = parts.pop()!
    return parts.flatMap((part) => toEvent(part) ?? [])
  }
}

function toEvent(text: string): StreamEvent | undefined {
  let id = ''
  let type = 'message'
  const data: string[] = []
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'id') id = value
    else if (field === 'event') type = value
    else if (field === 'data') data.push(value)
  }
  // A comment, which only keeps the connection open, is no event.
  return data.length === 0 && type === 'message' ? undefined : { id, type, data: data.join('\n') }
}
