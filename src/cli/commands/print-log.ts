import { once } from 'node:events'
import { check } from '../../control/body.ts'
import type { RequestEvent } from '../../control/events.ts'
import type { ControlMessage } from '../../control/client/control-api.ts'
import { CallError, type ClientError, ServerUnreachableError } from '../../control/client/errors.ts'
import { journalQuery, readRequestQuery } from '../../control/request-fields.ts'
import { toShownView } from '../../core/journal/stored-view.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { toEntryView } from '../../core/journal/entry-view.ts'
import { Matcher } from '../../core/journal/matching.ts'
import { countOf, toVisibleJson } from '../../core/text/messages.ts'
import { toTimestamp } from '../../core/time/time-text.ts'
import { type LogArguments, toRequestFields } from '../flags/log.ts'
import { type LineFormat, lineFormatOf, toEntryLine } from '../output/request-log.ts'
import { shutDown, waitForSignal } from '../process/shutdown.ts'
import { RemoteServer } from '../running-server.ts'
import { exitCodeAfterFlush, printAsIs, printError, type Terminal } from '../terminal.ts'
import type { Texts } from '../../core/text/values.ts'

export async function showLog(log: RequestLog, { limit }: LogArguments, terminal: Terminal) {
  const text = await log.readPast(limit)
  const dropped = log.dropped.map(
    ({ world, count }) =>
      `The journal of the world "${world}" dropped ${countOf(count, 'older request')} to make room, so fewer than --limit ${limit} are shown.\n`,
  )
  printAsIs(terminal.stdout, text)
  printError(terminal, dropped.join('') || (text === '' ? 'No requests match.\n' : ''))
}

export async function followLog(log: RequestLog, { wait }: LogArguments, terminal: Terminal) {
  const ending = new AbortController()
  const end = () => ending.abort()
  void waitForSignal(terminal).then(end)
  const { stdout } = terminal
  stdout.on('close', end)
  const { server } = log.server
  let isConnected: boolean | undefined
  for await (const messages of log.follow(ending.signal)) {
    const [first] = messages
    if (first?.type === 'open') {
      if (isConnected === false) printError(terminal, `The server at ${server} is back.\n`)
      isConnected = true
    } else if (first?.type === 'lost') {
      if (!isAway(first.error) || (isConnected === undefined && !wait)) throw first.error
      if (!wait) {
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

/** Returns whether a server is away or closing, so that it may come back. */
function isAway(error: ClientError | undefined): boolean {
  return error === undefined || error instanceof ServerUnreachableError || error.status === 503
}

const maxPrinted = 50_000

/**
 * The requests to print, each of them once, although it may be in the journal and in the stream.
 */
export class RequestLog {
  readonly server: RemoteServer
  /** The worlds whose journals have dropped requests that `--limit` would show. */
  readonly dropped: {
    readonly world: string
    readonly count: number
  }[] = []
  readonly #args: LogArguments
  readonly #fields: Texts
  readonly #matcher: Matcher
  readonly #format: LineFormat
  /** Worlds and ids, oldest first. */
  readonly #printed = new Set<string>()
  /** The journal of each world, and the first of its entries that was read. */
  readonly #journals = new Map<
    string,
    {
      readonly journal: string
      readonly first: number
    }
  >()
  #serverId: string | undefined
  #isBehind = false

  /** @throws ControlError for an impossible field */
  constructor(args: LogArguments, terminal: Terminal) {
    this.server = new RemoteServer(args, terminal)
    this.#args = args
    this.#fields = toRequestFields(args)
    this.#matcher = new Matcher(readRequestQuery(check(journalQuery, this.#fields)))
    this.#format = lineFormatOf(terminal.stdout, terminal.env)
  }

  async readPast(limit: number | undefined): Promise<string> {
    const { world } = this.server
    return this.#toLines(
      await (this.#args.allWorlds ? this.#readAll(limit) : this.#readWorld(world, limit)),
    )
  }

  follow(signal: AbortSignal) {
    const world = this.#args.allWorlds ? undefined : this.server.world
    return this.server.events(signal, {
      world,
      types: 'request,world',
    })
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

  async #readWorld(world: string, limit: number | undefined): Promise<readonly JournalEntry[]> {
    const query = {
      ...this.#fields,
      limit,
      world,
    }
    const { data, evicted, journal } = await this.server.call('GET /worlds/{world}/journal', query)
    // A world that was reset while the stream was lost counts from 1 again.
    let known = this.#journals.get(world)
    if (known?.journal !== journal) {
      for (const key of this.#printed) if (key.startsWith(`${world} `)) this.#printed.delete(key)
      this.#journals.set(
        world,
        (known = {
          journal,
          first: data[0]?.id ?? 0,
        }),
      )
    }
    if (evicted > 0 && data.length < (limit ?? 0))
      this.dropped.push({
        world,
        count: evicted,
      })
    const { first } = known
    // The entries before the first one were beyond `--limit`.
    return data.filter(({ id }) => id >= first)
  }

  async #readAll(limit: number | undefined): Promise<JournalEntry[]> {
    const { data: worlds } = await this.server.call('GET /worlds')
    const all: JournalEntry[] = []
    for (const { name, journal } of worlds) {
      if (journal.size === 0 && journal.evicted > 0)
        this.dropped.push({
          world: name,
          count: journal.evicted,
        })
      // Queries at least one world, so that the server reports an unknown operation or scenario.
      if (journal.size > 0 || name === 'default')
        all.push(...(await this.#readWorld(name, limit).catch(ifMissing([]))))
    }
    const inTime = all.sort((one, other) => toTimestamp(one.at) - toTimestamp(other.at))
    const start = Math.max(0, inTime.length - (limit ?? Infinity))
    for (const entry of inTime.slice(0, start)) this.#isFirst(entry)
    return inTime.slice(start)
  }

  /** Reads what is there; nothing if the world is deleted, or yet to be made. */
  #readAgain(limit?: number): Promise<string> {
    return this.readPast(limit).catch(ifMissing(''))
  }

  async #toText(message: ControlMessage): Promise<string> {
    if (message.type === 'start') {
      const isNew = message.data.server !== this.#serverId
      this.#serverId = message.data.server
      if (isNew) this.#printed.clear()
      // All that is missed; `--limit` applies only where a server starts.
      return this.#readAgain(isNew ? this.#args.limit : undefined)
    }
    // A read finds out whether its ids begin with 1 again.
    if (message.type === 'world')
      return this.#toLines(
        await this.#readWorld(message.data.world, undefined).catch(ifMissing([])),
      )
    if (message.type === 'request') return this.#toNewLine(message.data)
    return ''
  }

  async #toNewLine(event: RequestEvent): Promise<string> {
    const match = this.#matcher.test(toEntryView(event))
    if (event.pending || match === 'no') return ''
    const isNeeded = this.#args.json || match === 'unsure'
    const entire = isNeeded ? await this.#readEntire(event) : undefined
    // An entry that was dropped can no longer be checked.
    if (entire && this.#matcher.test(toShownView(entire)) === 'no') return ''
    if (this.#isFirst(event)) return this.#toLine(entire ?? event)
    return ''
  }

  async #readEntire({ world, id }: RequestEvent): Promise<JournalEntry | undefined> {
    try {
      return await this.server.call('GET /worlds/{world}/journal/{id}', { world, id })
    } catch (error) {
      if (error instanceof CallError) return undefined
      throw error
    }
  }

  #toLines(entries: readonly JournalEntry[]): string {
    const left = entries.filter((entry) => !entry.pending && this.#isFirst(entry))
    return left.map((entry) => this.#toLine(entry)).join('')
  }

  #toLine(entry: RequestEvent): string {
    if (this.#args.json) return toVisibleJson(JSON.stringify(entry)) + '\n'
    return toEntryLine(entry, toTimestamp(entry.at), this.#format)
  }

  #isFirst({ world, id }: RequestEvent): boolean {
    const key = `${world} ${id}`
    if (this.#printed.has(key)) return false
    this.#printed.add(key)
    const [oldest = ''] = this.#printed
    if (this.#printed.size > maxPrinted) this.#printed.delete(oldest)
    return true
  }
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
