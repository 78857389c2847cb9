import { describeRequests } from '../../src/testing/test-world.ts'
import type { RunningServer } from '../../src/adapters/server.ts'
import { logRequests } from '../../src/cli/output/request-log.ts'
import type { Greenhouse, JournalEntry } from '../../src/index.ts'

/** Watches every report of requests; `read` returns them, by name. */
export async function watchOutputs(
  greenhouse: Greenhouse,
  server: RunningServer,
  headers: Record<string, string> = {},
) {
  const control = (path: string) =>
    fetch(`${server.url}/__greenhouse/worlds/default${path}`, { headers })
  const logs = { pretty: '', json: '' }
  const streamOf = (format: 'pretty' | 'json') =>
    ({ writableLength: 0, write: (text: string) => (logs[format] += text) }) as never
  const endLogs = (['pretty', 'json'] as const).map((format) =>
    logRequests(greenhouse, format, streamOf(format), {}),
  )
  const seen: (JournalEntry | undefined)[] = []
  const ends = [
    greenhouse.subscribe((entry) => seen.push(entry)),
    greenhouse.world().journal.subscribe((entry) => seen.push(entry)),
  ]
  const aborter = new AbortController()
  const events = await fetch(`${server.url}/__greenhouse/worlds/default/journal/stream`, {
    headers,
    signal: aborter.signal,
  })
  let stream = ''
  const reading = events
    .body!.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void (stream += text) }))
  reading.catch(() => undefined)
  return {
    async read(): Promise<Record<string, string>> {
      const { journal } = greenhouse.world()
      while (stream.split('\n\n').length <= journal.size)
        await new Promise((done) => setTimeout(done, 5))
      aborter.abort()
      for (const end of [...endLogs, ...ends]) end()
      return {
        journal: JSON.stringify(journal.calls()),
        subscribers: JSON.stringify(seen),
        listing: await (await control('/journal')).text(),
        har: await (await control('/journal.har')).text(),
        stream,
        'pretty log': logs.pretty,
        'JSON log': logs.json,
        summary: describeRequests(greenhouse.world(), Infinity),
      }
    },
  }
}
