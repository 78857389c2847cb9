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
  const control = (path: string) => fetch(`${server.url}/__greenhouse/worlds/default${path}`, { headers })
  const logs = { pretty: '', json: '' }
  const endLogs = (['pretty', 'json'] as const).map((format) =>
    logRequests(
      greenhouse,
      format,
      { writableLength: 0, write: (text: string) => (logs[format] += text) } as never,
      {},
    ),
  )
  const seen: (JournalEntry | undefined)[] = []
  const ends = [
    greenhouse.subscribe((entry) => seen.push(entry)),
    greenhouse.world().journal.subscribe((entry) => seen.push(entry)),
  ]
  const events = await control('/journal/stream')
  return {
    async read(): Promise<Record<string, string>> {
      const { journal } = greenhouse.world()
      const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader()
      let stream = ''
      while (stream.split('\n\n').length <= journal.size) stream += (await reader.read()).value ?? ''
      await reader.cancel()
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
