import type { ControlEvents, RequestEvent } from '../../../control/events/types.ts'
import type { JournalEntry } from '../../../core/journal/journal-entry.ts'
import { connect, type ControlClient, UnreachableError } from '../../control-client.ts'
import { toRequestQuery } from '../../../control/request-fields.ts'
import { toShownView } from '../../../core/journal/comparison.ts'
import { Matcher, toOutlineView } from '../../../core/journal/matching.ts'
import { delay, shutDown, waitForSignal } from '../../process/shutdown.ts'
import { exitCodeAfterFlush, type OutputStream, printError, type Terminal } from '../../terminal.ts'
import { createEntryWriter, type LogArguments, orNone, readEntries, readEntry, toRequestFields } from './entries.ts'
import { readEvents, type ServerEvent } from '../../../core/http/read-events.ts'

/** The pause before reconnecting, in milliseconds. */
const pause = 500

export async function followLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  void waitForSignal(terminal).then(() => ending.abort())
  const client = connect(args, terminal)
  const print = createPrint(terminal.stdout, () => ending.abort())
  const tail = createTail(client, args, { terminal, print, signal })
  let isConnected: boolean | undefined
  const welcome = () => {
    if (isConnected === false) printError(terminal, `The server at ${client.server} is back.\n`)
    isConnected = true
  }
  while (!signal.aborted) {
    try {
      await tail.read(welcome)
    } catch (error) {
      if (!signal.aborted && (!(error instanceof UnreachableError) || (isConnected === undefined && !args.wait)))
        throw error
    }
    if (signal.aborted) break
    if (!args.wait) {
      printError(
        terminal,
        `The server at ${client.server} went away. With --wait, greenhouse-mock log --follow waits for it.\n`,
      )
      return shutDown(terminal, 1, async () => {})
    }
    if (isConnected !== false) printError(terminal, `Waiting for the server at ${client.server}.\n`)
    isConnected = false
    tail.reset()
    await delay(pause, signal)
  }
  await shutDown(terminal, 0, () => exitCodeAfterFlush(terminal, 0))
}

type Print = (text: string) => Promise<void>

/** Returns a function that prints, and waits while the reader is slow. */
function createPrint(stream: OutputStream, onClosed: () => void): Print {
  let isClosed = false
  let proceed = () => {}
  stream.on('close', () => {
    isClosed = true
    proceed()
    onClosed()
  })
  stream.on('drain', () => proceed())
  return async (text) => {
    if (isClosed || text === '' || stream.write(text)) return
    await new Promise<void>((resolve) => (proceed = resolve))
  }
}

function createTail(
  client: ControlClient,
  args: LogArguments,
  { terminal, print, signal }: { terminal: Terminal; print: Print; signal: AbortSignal },
) {
  const toLine = createEntryWriter(args, terminal)
  const { operation, status, errors, violations, scenario, search } = args
  const ofFlag = (isOn: boolean) => isOn || undefined
  const flags = { errors: ofFlag(errors), violations: ofFlag(violations) }
  const matcher = new Matcher({ operation, status, scenario, search, ...flags })
  const request = toRequestQuery(toRequestFields(args))
  const requestMatcher = request && new Matcher(request)
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
    if (entry.pending || !matcher.test(toOutlineView(entry))) return ''
    const entire = args.json || requestMatcher ? await readEntry(client, entry) : entry
    // A dropped entry can no longer be checked.
    if ('headers' in entire.request && requestMatcher?.test(toShownView(entire as JournalEntry)) === false) return ''
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

const maxIds = 5_000
const maxWorlds = 1_000

/** The printed entries, so that an entry in both the journal and the stream is printed once. */
class PrintedIds {
  /** Ids by world; oldest first in both. */
  readonly #ids = new Map<string, Set<number>>()

  add({ world, id }: Pick<JournalEntry, 'world' | 'id'>): boolean {
    const ids = this.#ids.get(world) ?? new Set()
    if (ids.has(id)) return false
    ids.add(id)
    this.#ids.set(world, ids)
    forgetOldest(ids, maxIds)
    forgetOldest(this.#ids, maxWorlds)
    return true
  }

  forget(world?: string): void {
    if (world === undefined) this.#ids.clear()
    else this.#ids.delete(world)
  }
}

function forgetOldest<K>(kept: Set<K> | Map<K, unknown>, max: number): void {
  if (kept.size > max) kept.delete(kept.keys().next().value!)
}
