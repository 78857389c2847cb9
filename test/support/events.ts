import type { RunningServer } from 'greenhouse-mock/server'

export interface ServerEvent {
  id: string | undefined
  type: string
  data: any
}

export interface EventReader {
  status: number
  readonly events: ServerEvent[]
  /** The first event, of those that came and of those to come, that is meant. */
  until(isMeant: (event: ServerEvent) => boolean): Promise<ServerEvent>
  readonly ended: Promise<void>
  close(): void
}

/** Opens the stream of events. @param path with its query: `/events?types=clock`. */
export async function readEvents(
  { url }: Pick<RunningServer, 'url'>,
  path = '/events',
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const aborter = new AbortController()
  const response = await fetch(`${url}/__greenhouse${path}`, { headers, signal: aborter.signal })
  const events: ServerEvent[] = []
  let tell = () => {}
  const ended = (async () => {
    let text = ''
    try {
      for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
        const parts = (text + piece).split('\n\n')
        text = parts.pop()!
        events.push(...parts.map(toEvent))
        tell()
      }
    } catch {
      // Closed by the test.
    }
    tell()
  })()
  let isOver = false
  void ended.then(() => {
    isOver = true
    tell()
  })
  return {
    status: response.status,
    events,
    ended,
    async until(isMeant) {
      for (;;) {
        const found = events.find(isMeant)
        if (found) return found
        if (isOver) throw new Error(`The stream ended; it had ${events.map(({ type }) => type).join(', ')}.`)
        await new Promise<void>((resolve) => (tell = resolve))
      }
    },
    close: () => aborter.abort(),
  }
}

function toEvent(text: string): ServerEvent {
  const field = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { id: field('id'), type: field('event') ?? 'message', data: JSON.parse(field('data')!) }
}
