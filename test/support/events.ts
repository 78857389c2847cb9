import type { RunningServer } from 'greenhouse-mock/server'
import { readEvents as readStream } from '../../src/control/client/control-api.ts'

export interface ServerEvent {
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
    try {
      for await (const some of readStream(response.body!)) {
        events.push(...some.map((event) => ({ ...event, data: JSON.parse(event.data) })))
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
        if (isOver)
          throw new Error(`The stream ended; it had ${events.map(({ type }) => type).join(', ')}.`)
        await new Promise<void>((resolve) => (tell = resolve))
      }
    },
    close: () => aborter.abort(),
  }
}
