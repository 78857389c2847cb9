import type { JournalQuery, ViolationQuery } from '../../api/journal.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { describeCutEntry, Matcher, toEntryView } from '../../core/journal/matching.ts'
import { checkJournalQuery, checkViolationQuery } from '../../core/journal/request-query.ts'
import { type RequestViolation, violationsIn } from '../../core/journal/violation.ts'
import { checkOptions, type RulesFor } from '../../core/contract/options.ts'
import type { Answers } from '../actions/index.ts'
import { CallError } from './errors.ts'
import type { FollowOptions, RemoteJournal } from './remote.ts'
import type { WorldCalls } from './control-api.ts'

type JournalPage = Answers['GET /worlds/{world}/journal']
type Query = Readonly<Record<string, string | number | boolean | undefined>>

export const signalRule = {
  takes: 'an AbortSignal',
  accepts: (value: unknown) => typeof (value as AbortSignal | null)?.addEventListener === 'function',
}

const followRules: RulesFor<FollowOptions> = { signal: signalRule }

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
    checkJournalQuery(query, { operations: await this.#calls.facts.operations() })
    const { headers, query: parameters, body, limit = Infinity, ...filter } = query
    const isWhole = !headers && !parameters && body === undefined
    const page = await this.#page({ ...filter, limit: isWhole && limit !== Infinity ? limit : undefined })
    if (isWhole) return page.data.slice()
    const matcher = new Matcher({ headers, query: parameters, body })
    const views = page.data.map((entry) => [entry, matcher.test(toEntryView(entry))] as const)
    const found = views.filter(([, isMatch]) => isMatch).map(([entry]) => entry)
    if (found.length === 0 && limit > 0) {
      await this.assertNotEvicted(query, page)
      const undecided = views.findLast(([, isMatch]) => isMatch === undefined)?.[0]
      if (undecided) throw new CallError('journal_evicted', 409, describeCutEntry(undecided.id))
    }
    return found.slice(Math.max(0, found.length - limit))
  }

  async violations(query: ViolationQuery = {}): Promise<RequestViolation[]> {
    checkViolationQuery(query, { operations: await this.#calls.facts.operations() })
    const { operation, ignore } = query
    const page = await this.#page({ operation, violations: true })
    const found = page.data.flatMap((entry) => violationsIn(entry, ignore))
    if (found.length === 0) await this.assertNotEvicted({ operation }, page)
    return found
  }

  async clear(): Promise<void> {
    await this.#calls.change('DELETE /worlds/{world}/journal')
  }

  async *follow(options: FollowOptions = {}): AsyncGenerator<JournalEntry, void> {
    checkOptions('journal.follow', options, followRules)
    const { signal } = options
    if (signal?.aborted) return
    let { journal, data } = await this.#page({ limit: 1 })
    let last = data.at(-1)?.id ?? 0
    for await (const messages of this.#calls.entries(signal)) {
      for (const message of messages) {
        if (message.type === 'message' && isNew(message.data)) yield message.data
        if (message.type !== 'open') continue
        const before = journal
        ;({ journal, data } = await this.#page({}, signal))
        // Of a server that started again, the ids begin with 1.
        if (journal !== before) last = 0
        const missed = data.filter(({ id }) => id > last)
        last = Math.max(last, data.at(-1)?.id ?? 0)
        yield* missed
      }
    }

    /** Whether the journal did not have the complete entry when the stream was opened. */
    function isNew({ id }: JournalEntry): boolean {
      return id > last || data.some((entry) => entry.id === id && entry.pending)
    }
  }

  /** Returns all entries, and the names of all operations, for the matchers. @internal */
  async load() {
    return { page: await this.#page({}), operations: await this.#calls.facts.operations() }
  }

  /** @throws CallError if the journal has dropped an entry that may match. @internal */
  async assertNotEvicted(
    { operation, status }: JournalQuery,
    { evicted }: Pick<JournalPage, 'evicted'>,
  ): Promise<void> {
    // Nothing has this header, so the server answers whether it ever had such an entry.
    if (evicted > 0) await this.#page({ operation, status, 'header.x-greenhouse-never': 'sent' })
  }

  #page(query: Query, signal?: AbortSignal): Promise<JournalPage> {
    return this.#calls.read('GET /worlds/{world}/journal', { query, signal })
  }
}
