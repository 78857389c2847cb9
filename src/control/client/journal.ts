import { codedError } from '../../core/text/error-codes.ts'
import { toTyped } from '../../core/contract/expected.ts'
import { checkOptions, custom, type SchemasOf } from '../../core/store/options.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { withoutWorld } from '../../core/text/world-key.ts'
import type { Answers } from '../actions/index.ts'
import { maxListed } from '../list-limit.ts'
import type { ActionFields } from './control-api.ts'
import { ifKnown, type WorldCalls } from './world-calls.ts'
import type { FollowOptions, RemoteJournal } from './remote.ts'
import type { JournalQuery, ViolationQuery } from '../../api/journal.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { toEntryView } from '../../core/journal/entry-view.ts'
import { describeCutEntry, Matcher } from '../../core/journal/matching.ts'
import { checkJournalQuery, checkViolationQuery } from '../../core/journal/request-query.ts'
import { type RequestViolation, violationsIn } from '../../core/journal/violation.ts'
import { CallError } from './errors.ts'

import { toFingerprintInPage } from './records.ts'

type JournalRoute = 'GET /worlds/{world}/journal'
type JournalAnswer = Answers[JournalRoute]

export const signalSchema = custom(
  'an AbortSignal',
  (value) => typeof (value as AbortSignal | null)?.addEventListener === 'function',
)

function lastId(entries: readonly JournalEntry[]): number {
  return entries.at(-1)?.id ?? 0
}

function toTypedNames({ operation, scenario, key, account }: JournalQuery) {
  return {
    operation: toTyped(operation),
    scenario: toTyped(scenario),
    key: toTyped(key),
    account: toTyped(account),
  }
}

const followSchemas: SchemasOf<FollowOptions> = { signal: signalSchema }

export class ClientJournal implements RemoteJournal {
  readonly #calls: WorldCalls

  constructor(calls: WorldCalls) {
    this.#calls = calls
  }

  get size(): Promise<number> {
    return this.#page({ limit: 0 }).then(({ size }) => size)
  }

  get evicted(): Promise<number> {
    return this.#page({ limit: 0 }).then(({ evicted }) => evicted)
  }

  /** The server selects by all but headers, parameters and bodies, which may be matchers. */
  async calls(query: JournalQuery = {}): Promise<JournalEntry[]> {
    checkJournalQuery(query, this.#calls.facts)
    const { headers, query: parameters, body, limit = Infinity, ...filter } = query
    const { key } = query
    const isWhole = !headers && !parameters && body === undefined
    const page = await this.#page({
      ...filter,
      ...toTypedNames(query),
      limit: isWhole && limit !== Infinity ? limit : undefined,
    })
    if (page.data.length === 0 && typeof key === 'string') await this.#checkKey(key)
    if (isWhole) return page.data.slice()
    const matcher = new Matcher({
      headers,
      query: parameters,
      body,
    })
    const views = page.data.map((entry) => [entry, matcher.test(toEntryView(entry))] as const)
    const found = views.filter(([, match]) => match === 'yes').map(([entry]) => entry)
    if (found.length === 0 && limit > 0) {
      await this.assertNotEvicted(query, page)
      const undecided = views.findLast(([, match]) => match === 'unsure')?.[0]
      if (undecided) throw new CallError('journal_evicted', 409, describeCutEntry(undecided.id))
    }
    return found.slice(Math.max(0, found.length - limit))
  }

  async violations(query: ViolationQuery = {}): Promise<RequestViolation[]> {
    checkViolationQuery(query, this.#calls.facts)
    const { operation, ignore } = query
    const page = await this.#page({
      operation: toTyped(operation),
      violations: true,
    })
    const found = page.data.flatMap((entry) => violationsIn(entry, ignore))
    if (found.length === 0) await this.assertNotEvicted({ operation }, page)
    return found
  }

  async clear(): Promise<void> {
    await this.#calls.change('DELETE /worlds/{world}/journal')
  }

  async *follow(options: FollowOptions = {}): AsyncGenerator<JournalEntry, void> {
    checkOptions('journal.follow', options, followSchemas)
    const { signal } = options
    if (signal?.aborted) return
    let { journal, data } = await this.#page({ limit: 1 })
    let last = lastId(data)
    for await (const messages of this.#calls.entries(signal)) {
      for (const message of messages) {
        if (message.type === 'message' && isNew(message.data)) yield message.data
        if (message.type !== 'open') continue
        const before = journal
        ;({ journal, data } = await this.#page({}, signal))
        // The ids of a server that started again begin with 1.
        if (journal !== before) last = 0
        const missed = data.filter(({ id }) => id > last)
        last = Math.max(last, lastId(data))
        yield* missed
      }
    }
    const ended = signal?.reason as Error | undefined
    // A time limit means that something was waited for, and did not come.
    if (ended?.name === 'TimeoutError') throw ended

    /** Returns whether the journal did not have the complete entry when the stream was opened. */
    function isNew({ id }: JournalEntry): boolean {
      return id > last || data.some((entry) => entry.id === id && entry.pending)
    }
  }

  /** Returns all entries, and the names of all operations, for the matchers. @internal */
  async load() {
    return {
      page: await this.#page({}),
      operations: this.#calls.facts.operations,
    }
  }

  /** @throws CallError if the journal has dropped an entry that may match. @internal */
  async assertNotEvicted(query: JournalQuery, { evicted }: { evicted: number }): Promise<void> {
    const { operation, scenario } = toTypedNames(query)
    // Nothing has this header, so the server answers whether it ever had such an entry. It alone
    // knows the names of scenarios.
    if (evicted > 0 || scenario !== undefined)
      await this.#page({
        operation,
        scenario,
        status: query.status,
        'header.x-greenhouse-never': 'sent',
      })
  }

  /**
   * The server does not say which keys exist to whom asks for one. A typo must not read as "it was
   * never called".
   */
  async #checkKey(key: string) {
    const bare = withoutWorld(key)
    const [id, { keys }] = await Promise.all([
      toFingerprintInPage(bare),
      this.#calls.call('GET /start'),
    ])
    const place = {
      collection: 'keys',
      id,
    }
    const one = this.#calls.do('GET /worlds/{world}/records/{collection}/{id}', place)
    if ((await ifKnown('record', one, undefined)) || (await this.#page({ key })).data.length > 0)
      return
    const names = Object.keys(keys)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      describeProblem('Failed to call journal.calls(): the world has no such key', bare, names),
    )
  }

  async #page(query: ActionFields<JournalRoute>, signal?: AbortSignal): Promise<JournalAnswer> {
    const read = (more?: { readonly before: number }) =>
      this.#calls.do('GET /worlds/{world}/journal', { ...query, ...more }, { signal })
    const newest = await read()
    let { data } = newest
    let [oldest] = data
    let isFull = query['limit'] === undefined && data.length === maxListed
    while (isFull && oldest) {
      const page = (await read({ before: oldest.id })).data
      isFull = page.length === maxListed
      data = [...page, ...data]
      ;[oldest] = page
    }
    return { ...newest, data }
  }
}
