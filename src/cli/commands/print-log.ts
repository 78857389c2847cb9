import { once } from 'node:events'
import type { RequestEvent } from '../../control/events.ts'
import type { ControlMessage } from '../../control/client/control-api.ts'
import { CallError, ServerUnreachableError } from '../../control/client/errors.ts'
import { type RequestFields, toRequestQuery } from '../../control/request-fields.ts'
import { toShownView } from '../../core/journal/comparison.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { Matcher, toEntryView } from '../../core/journal/matching.ts'
import { toVisibleJson } from '../../core/text/messages.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import type { LogArguments } from '../flags/log.ts'
import { lineFormatOf, toEntryLine } from '../output/request-log.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { RemoteServer } from '../running-server.ts'
import { exitCodeAfterFlush, printAsIs, printError, type Terminal } from '../terminal.ts'

export async function showLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const log = openLog(args, terminal)
  const text = await log.readPast(args.limit)
  const dropped = log.dropped.map(
    ({ world, count }) =>
      `The journal of the world "${world}" dropped ${count} older ${count === 1 ? 'request' : 'requests'} to make room, so fewer than --limit ${args.limit} are shown.\n`,
  )
  printAsIs(terminal.stdout, text)
  printError(terminal, dropped.join('') || (text === '' ? 'No requests match.\n' : ''))
}

export async function followLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  void waitForSignal(terminal).then(end)
  const { stdout } = terminal
  stdout.on('close', end)
  const log = openLog(args, terminal)
  const { server } = log.server
  let isConnected: boolean | undefined
  for await (const messages of log.follow(ending.signal)) {
    const [first] = messages
    if (first?.type === 'open') {
      if (isConnected === false) printError(terminal, `The server at ${server} is back.\n`)
      isConnected = true
    } else if (first?.type === 'lost') {
      const { error } = first
      const isClosing = error?.status === 503
      const isGone = error === undefined || error instanceof ServerUnreachableError || isClosing
      if (!isGone || (isConnected === undefined && !args.wait)) throw error!
      if (!args.wait) {
        const advice = 'With --wait, greenhouse-mock log --follow waits for it.'
        printError(terminal, `The server at ${server} went away. ${advice}\n`)
        return shutDown(terminal, 1, async () => {})
      }
      if (isConnected !== false) printError(terminal, `Waiting for the server at ${server}.\n`)
      isConnected = false
    } else {
      const text = await log.read(messages)
      // Waits while the reader is slow.
      if (text !== '' && !printAsIs(stdout, text))
        await once(stdout, 'drain', { signal: ending.signal }).catch(() => undefined)
    }
  }
  await shutDown(terminal, 0, () => exitCodeAfterFlush(terminal, 0))
}

const maxPrinted = 50_000

function openLog(args: LogArguments, terminal: Terminal) {
  const { operation, status, scenario, search, errors, violations } = args
  const server = new RemoteServer(args, terminal)
  const query = {
    operation,
    status,
    scenario,
    search,
    ...(errors && { errors }),
    ...(violations && { violations }),
  }
  const fields = toRequestFields(args)
  const matcher = new Matcher(query)
  const requestQuery = toRequestQuery(fields)
  const requestMatcher = requestQuery && new Matcher(requestQuery)
  const format = lineFormatOf(terminal.stdout, terminal.env)
  const toLine = (entry: RequestEvent) =>
    args.json
      ? toVisibleJson(JSON.stringify(entry)) + '\n'
      : toEntryLine(entry, toTimestamp(entry.at), format)
  /** The worlds whose journals have dropped requests that `--limit` would show. */
  const dropped: { readonly world: string; readonly count: number }[] = []
  /** Worlds and ids, oldest first. An entry may be in both the journal and the stream. */
  const printed = new Set<string>()
  /** The journal of each world, and the first of its entries that was read. */
  const journals = new Map<string, { readonly journal: string; readonly first: number }>()
  let serverId: string | undefined
  let isBehind = false

  const forget = (world: string): void => {
    for (const key of printed) if (key.startsWith(`${world} `)) printed.delete(key)
  }

  const isFirst = ({ world, id }: RequestEvent): boolean => {
    const key = `${world} ${id}`
    if (printed.has(key)) return false
    printed.add(key)
    if (printed.size > maxPrinted) printed.delete(printed.keys().next().value!)
    return true
  }

  const readWorld = async (
    world: string,
    limit: number | undefined,
  ): Promise<readonly JournalEntry[]> => {
    const options = { path: { world }, query: { ...query, ...fields, limit } }
    const { data, evicted, journal } = await server.call('GET /worlds/{world}/journal', options)
    // A world that was reset while the stream was lost counts from 1 again.
    let known = journals.get(world)
    if (known?.journal !== journal) {
      forget(world)
      journals.set(world, (known = { journal, first: data[0]?.id ?? 0 }))
    }
    if (evicted > 0 && data.length < (limit ?? 0)) dropped.push({ world, count: evicted })
    const { first } = known
    // Those before the first were beyond `--limit`.
    return data.filter(({ id }) => id >= first)
  }

  const readAll = async (limit: number | undefined): Promise<JournalEntry[]> => {
    const { data: worlds } = await server.call('GET /worlds')
    const all: JournalEntry[] = []
    for (const { name, journal } of worlds) {
      if (journal.size === 0 && journal.evicted > 0)
        dropped.push({ world: name, count: journal.evicted })
      // Queries at least one world, so that the server reports an unknown operation or scenario.
      if (journal.size > 0 || name === 'default')
        all.push(...(await readWorld(name, limit).catch(ifMissing([]))))
    }
    const inTime = all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    const start = Math.max(0, inTime.length - (limit ?? Infinity))
    inTime.slice(0, start).forEach(isFirst)
    return inTime.slice(start)
  }

  const toLines = (entries: readonly JournalEntry[]): string =>
    entries.map((entry) => (!entry.pending && isFirst(entry) ? toLine(entry) : '')).join('')

  const readPast = async (limit: number | undefined): Promise<string> => {
    const entries = args.allWorlds ? await readAll(limit) : await readWorld(server.world, limit)
    return toLines(entries)
  }

  /** Reads what is there; nothing if the world is deleted, or yet to be made. */
  const readAgain = (limit?: number): Promise<string> => readPast(limit).catch(ifMissing(''))

  const readEntire = (event: RequestEvent): Promise<RequestEvent> => {
    const path = { world: event.world, id: String(event.id) }
    return server.call('GET /worlds/{world}/journal/{id}', { path }).catch((error: unknown) => {
      if (error instanceof CallError) return event
      throw error
    })
  }

  const toText = async (message: ControlMessage): Promise<string> => {
    if (message.type === 'start') {
      const isNew = message.data.server !== serverId
      serverId = message.data.server
      if (isNew) printed.clear()
      // All that is missed; `--limit` applies only where a server starts.
      return readAgain(isNew ? args.limit : undefined)
    }
    // A read finds out whether its ids begin with 1 again.
    if (message.type === 'world')
      return toLines(await readWorld(message.data.world, undefined).catch(ifMissing([])))
    if (message.type !== 'request') return ''
    const entry = message.data
    if (entry.pending || !matcher.test(toEntryView(entry))) return ''
    const entire = args.json || requestMatcher ? await readEntire(entry) : entry
    // A dropped entry can no longer be checked.
    if (
      'headers' in entire.request &&
      requestMatcher?.test(toShownView(entire as JournalEntry)) === false
    )
      return ''
    return isFirst(entry) ? toLine(entire) : ''
  }

  return {
    server,
    dropped,
    readPast,
    follow(signal: AbortSignal) {
      const world = args.allWorlds ? undefined : server.world
      return server.events({ query: { world, types: 'request,world' }, signal })
    },
    async read(messages: readonly ControlMessage[]): Promise<string> {
      let text = ''
      try {
        if (isBehind) text += await readAgain()
        isBehind = false
        for (const message of messages) text += await toText(message)
      } catch (error) {
        if (!(error instanceof ServerUnreachableError)) throw error
        // The stream ends too.
        isBehind = true
      }
      return text
    },
  }
}

function toRequestFields({
  method,
  path,
  key,
  account,
  header,
  query,
  body,
}: LogArguments): RequestFields {
  const plain = Object.entries({ method, path, key, account }).filter(
    ([, value]) => value !== undefined,
  )
  const below = Object.entries({ header, query, body }).flatMap(([prefix, fields]) =>
    fields.map(([name, value]) => [`${prefix}.${name}`, value]),
  )
  return Object.fromEntries([...plain, ...below]) as RequestFields
}

function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (
      error instanceof CallError &&
      ['unknown_world', 'world_dropped', 'journal_evicted'].includes(error.code)
    )
      return value
    throw error
  }
}
