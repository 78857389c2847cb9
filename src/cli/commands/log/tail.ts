import { createRequestTest } from '../../../control/request-fields.ts'
import type { JournalEntry } from '../../../core/journal/journal-entry.ts'
import type { ControlEvents, RequestEvent } from '../../../control/events/types.ts'
import type { LogArguments } from '../../flags/log.ts'
import type { ControlClient } from '../../control-client.ts'
import type { Terminal } from '../../terminal.ts'
import { createEntryWriter } from './entry-line.ts'
import { createFilter } from './filter.ts'
import type { Print } from './output.ts'
import { PrintedIds } from './printed.ts'
import { orNone, readEntries, readEntry, toRequestFields } from './read-entries.ts'
import { readEvents, type ServerEvent } from './read-events.ts'

export function createTail(
  client: ControlClient,
  args: LogArguments,
  { terminal, print, signal }: { terminal: Terminal; print: Print; signal: AbortSignal },
) {
  const toLine = createEntryWriter(args, terminal)
  const fits = createFilter(args)
  const test = createRequestTest(toRequestFields(args))
  const printed = new PrintedIds()
  const query = { world: args.allWorlds ? undefined : client.world, types: 'request,world' }
  let lastId: string | undefined

  async function toText({ type, data }: ServerEvent): Promise<string> {
    if (type === 'gap') {
      // Prints all missed entries; `--limit` applies only at the start.
      const { reason } = JSON.parse(data) as ControlEvents['gap']
      const limit = reason === 'start' ? args.limit : undefined
      const entries = await readEntries(client, { ...args, limit }).catch(orNone)
      return entries.map((entry) => (printed.add(entry) ? toLine(entry) : '')).join('')
    }
    if (type === 'world') {
      const { world, change } = JSON.parse(data) as ControlEvents['world']
      if (change !== 'restored') printed.forget(world)
    }
    if (type !== 'request') return ''
    const entry = JSON.parse(data) as RequestEvent
    if (entry.pending || !fits(entry)) return ''
    const entire = args.json || test ? await readEntry(client, entry) : entry
    // A dropped entry can no longer be checked.
    if (test && 'headers' in entire.request && test(entire as JournalEntry).differences.length > 0) return ''
    return printed.add(entry) ? toLine(args.json ? entire : entry) : ''
  }

  async function printUntilClosed(body: ReadableStream<Uint8Array>): Promise<boolean> {
    for await (const events of readEvents(body)) {
      let text = ''
      for (const event of events) {
        lastId = event.id ?? lastId
        text += await toText(event)
      }
      await print(text)
      if (events.at(-1)?.type === 'closed') return true
    }
    return false
  }

  return {
    async read(onOpen: () => void) {
      let isCut = true
      while (isCut) {
        const { body } = await client.openEvents({ query }, lastId, signal)
        onOpen()
        isCut = await printUntilClosed(body!)
      }
    },
    reset() {
      lastId = undefined
      printed.forget()
    },
  }
}
