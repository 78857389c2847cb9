import { once } from 'node:events'
import type { ControlEvents, RequestEvent } from '../../control/events/types.ts'
import type { ControlMessage } from '../../control/client/control-api.ts'
import { CallError, ServerUnreachableError } from '../../control/client/errors.ts'
import { type RequestFields, toRequestQuery } from '../../control/request-fields.ts'
import { toShownView } from '../../core/journal/comparison.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { Matcher, toEntryView } from '../../core/journal/matching.ts'
import { toVisibleJson } from '../../core/text/messages.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import type { LogArguments } from '../flags/log.ts'
import { lineFormatOf, toEntryLine } from '../output/log-line.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { RemoteServer } from '../running-server.ts'
import { exitCodeAfterFlush, printError, type Terminal } from '../terminal.ts'

export async function showLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const log = new Log(args, terminal)
  const text = await log.readPast(args.limit)
  const dropped = log.dropped.map(
    ({ world, count }) =>
      `The journal of the world "${world}" dropped ${count} older ${count === 1 ? 'request' : 'requests'} to make room, so fewer than --limit ${args.limit} are shown.\n`,
  )
  terminal.stdout.write(text)
  printError(terminal, dropped.join('') || (text === '' ? 'No requests match.\n' : ''))
}

export async function followLog(args: LogArguments, terminal: Terminal): Promise<void> {
  const ending = new AbortController()
  const end = () => ending.abort()
  void waitForSignal(terminal).then(end)
  const { stdout } = terminal
  stdout.on('close', end)
  const log = new Log(args, terminal)
  const { server } = log.server
  let isConnected: boolean | undefined
  for await (const messages of log.follow(ending.signal)) {
    const [first] = messages
    if (first?.type === 'open') {
      if (isConnected === false) printError(terminal, `The server at ${server} is back.\n`)
      isConnected = true
    } else if (first?.type === 'lost') {
      const { error } = first
      const isGone = error === undefined || error instanceof ServerUnreachableError
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
      if (text !== '' && !stdout.write(text))
        await once(stdout, 'drain', { signal: ending.signal }).catch(() => undefined)
    }
  }
  await shutDown(terminal, 0, () => exitCodeAfterFlush(terminal, 0))
}

const maxPrinted = 50_000

class Log {
  readonly server: RemoteServer
  /** The worlds whose journals have dropped requests that `--limit` would show. */
  readonly dropped: { readonly world: string; readonly count: number }[] = []
  readonly #args: LogArguments
  readonly #query: Readonly<Record<string, string | boolean | undefined>>
  readonly #fields: RequestFields
  readonly #matcher: Matcher
  readonly #requestMatcher: Matcher | undefined
  readonly #toLine: (entry: RequestEvent) => string
  /** Worlds and ids, oldest first. An entry may be in both the journal and the stream. */
  readonly #printed = new Set<string>()
  #serverId: string | undefined
  #isBehind = false

  constructor(args: LogArguments, terminal: Terminal) {
    const { operation, status, scenario, search, errors, violations } = args
    this.server = new RemoteServer(args, terminal)
    this.#args = args
    this.#query = {
      operation,
      status,
      scenario,
      search,
      errors: errors || undefined,
      violations: violations || undefined,
    }
    this.#fields = toRequestFields(args)
    this.#matcher = new Matcher(this.#query)
    const request = toRequestQuery(this.#fields)
    this.#requestMatcher = request && new Matcher(request)
    const format = lineFormatOf(terminal.stdout, terminal.env)
    this.#toLine = args.json
      ? (entry) => toVisibleJson(JSON.stringify(entry)) + '\n'
      : (entry) => toEntryLine(entry, toTimestamp(entry.at), format)
  }

  follow(signal: AbortSignal) {
    const query = { world: this.#args.allWorlds ? undefined : this.server.world, types: 'request,world' }
    return this.server.events({ query, signal })
  }

  async read(messages: readonly ControlMessage[]): Promise<string> {
    let text = ''
    try {
      if (this.#isBehind) text += await this.#readAgain()
      this.#isBehind = false
      for (const message of messages) text += await this.#toText(message)
    } catch (error) {
      if (!(error instanceof ServerUnreachableError)) throw error
      // The stream ends too.
      this.#isBehind = true
    }
    return text
  }

  async #toText(message: ControlMessage): Promise<string> {
    if (message.type === 'gap') return this.#readMissed(message.data)
    if (message.type === 'world' && message.data.change !== 'restored') this.#forget(message.data.world)
    if (message.type !== 'request') return ''
    const entry = message.data
    if (entry.pending || !this.#matcher.test(toEntryView(entry))) return ''
    const entire = this.#args.json || this.#requestMatcher ? await this.#readEntire(entry) : entry
    // A dropped entry can no longer be checked.
    if ('headers' in entire.request && this.#requestMatcher?.test(toShownView(entire as JournalEntry)) === false)
      return ''
    return this.#isFirst(entry) ? this.#toLine(entire) : ''
  }

  #isFirst({ world, id }: RequestEvent): boolean {
    const key = `${world} ${id}`
    if (this.#printed.has(key)) return false
    this.#printed.add(key)
    if (this.#printed.size > maxPrinted) this.#printed.delete(this.#printed.keys().next().value!)
    return true
  }

  /** The ids of a world that was reset begin with 1 again. */
  #forget(world: string): void {
    for (const key of this.#printed) if (key.startsWith(`${world} `)) this.#printed.delete(key)
  }

  /** Prints all missed entries; `--limit` applies only where a server starts. */
  async #readMissed({ server }: ControlEvents['gap']): Promise<string> {
    const isNew = server !== this.#serverId
    this.#serverId = server
    if (isNew) this.#printed.clear()
    return this.#readAgain(isNew ? this.#args.limit : undefined)
  }

  async #readEntire(event: RequestEvent): Promise<RequestEvent> {
    const path = { world: event.world, id: String(event.id) }
    return this.server.call('GET /worlds/{world}/journal/{id}', { path }).catch((error: unknown) => {
      if (error instanceof CallError) return event
      throw error
    })
  }

  /** Reads what is there; nothing if the world is deleted, or yet to be made. */
  async #readAgain(limit?: number): Promise<string> {
    return this.readPast(limit).catch(ifMissing(''))
  }

  async readPast(limit: number | undefined): Promise<string> {
    const entries = this.#args.allWorlds ? await this.#readAll(limit) : await this.#readWorld(this.server.world, limit)
    return entries.map((entry) => (!entry.pending && this.#isFirst(entry) ? this.#toLine(entry) : '')).join('')
  }

  async #readWorld(world: string, limit: number | undefined): Promise<readonly JournalEntry[]> {
    const query = { ...this.#query, ...this.#fields, limit }
    const { data, evicted } = await this.server.call('GET /worlds/{world}/journal', { path: { world }, query })
    if (evicted > 0 && data.length < (limit ?? 0)) this.dropped.push({ world, count: evicted })
    return data
  }

  async #readAll(limit: number | undefined): Promise<JournalEntry[]> {
    const { data: worlds } = await this.server.call('GET /worlds')
    const all: JournalEntry[] = []
    for (const { name, journal } of worlds)
      // Queries at least one world, so that the server reports an unknown operation or scenario.
      if (journal.size > 0 || name === 'default') all.push(...(await this.#readWorld(name, limit).catch(ifMissing([]))))
    const inTime = all.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    return inTime.slice(Math.max(0, inTime.length - (limit ?? Infinity)))
  }
}

function toRequestFields({ method, path, key, account, header, query, body }: LogArguments): RequestFields {
  const plain = Object.entries({ method, path, key, account }).filter(([, value]) => value !== undefined)
  const below = Object.entries({ header, query, body }).flatMap(([prefix, fields]) =>
    fields.map(([name, value]) => [`${prefix}.${name}`, value]),
  )
  return Object.fromEntries([...plain, ...below]) as RequestFields
}

function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof CallError && ['unknown_world', 'world_dropped', 'journal_evicted'].includes(error.code))
      return value
    throw error
  }
}
