import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import type { LogArguments } from '../commands/log.ts'
import type { ControlClient } from '../control-client.ts'
import { createEntryWriter } from './entry-line.ts'
import { createFilter } from './filter.ts'
import type { Output } from './output.ts'
import { Printed } from './printed.ts'
import { orNone, readEntries } from './read-entries.ts'
import { readEvents, type StreamEvent } from './read-events.ts'

/** Prints what a server tells of requests. */
export interface Tail {
  /** Prints the entries that are there, then those that come, until the server ends it. @param onOpen the server is there. @throws as the client does */
  read(onOpen: () => void): Promise<void>
  /** Forgets what was printed: the next server is another one. */
  startAnew(): void
}

/** Makes what prints the requests that fit the flags. @param signal ends it */
export function createTail(client: ControlClient, args: LogArguments, output: Output, signal: AbortSignal): Tail {
  const toLine = createEntryWriter(args, process.stdout)
  const fits = createFilter(args)
  const printed = new Printed()
  const query = { world: args.allWorlds ? undefined : client.world, types: 'request,world' }
  let lastId: string | undefined

  const toText = (entry: JournalEntry) => (!entry.pending && fits(entry) && printed.add(entry) ? toLine(entry) : '')

  /** What an event prints. */
  async function toTextOf({ type, data }: StreamEvent): Promise<string> {
    if (type === 'request') return toText(JSON.parse(data) as JournalEntry)
    if (type === 'world') printed.forget((JSON.parse(data) as { name: string }).name)
    if (type === 'gap') return readThere()
    return ''
  }

  async function readThere(): Promise<string> {
    return (await readEntries(client, args).catch(orNone)).map(toText).join('')
  }

  /** Whether the server cut it because it was read too slowly. */
  async function wasCut(body: ReadableStream<Uint8Array>): Promise<boolean> {
    for await (const events of readEvents(body)) {
      let text = ''
      for (const event of events) {
        lastId = event.id ?? lastId
        if (event.type === 'closed') return true
        text += await toTextOf(event)
      }
      await output.write(text)
    }
    return false
  }

  return {
    async read(onOpen) {
      let isCut = true
      while (isCut) {
        const isFirst = lastId === undefined
        const reply = await client.openEvents({ query }, lastId, signal)
        onOpen()
        if (isFirst) await output.write(await readThere())
        isCut = await wasCut(reply.body!)
      }
    },
    startAnew() {
      lastId = undefined
      printed.forget()
    },
  }
}
