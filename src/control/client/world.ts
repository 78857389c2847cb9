import { codedError } from '../../core/text/error-codes.ts'
import type { RecordKey, Records } from '../../catalogue/records.ts'
import type { ScenarioChoice, TriggerOptions } from '../../api/names.ts'
import type { WorldStart } from '../../api/world-start.ts'
import { toTyped } from '../../core/contract/expected.ts'
import { isObject, rejectSecond, withKnownNames } from '../../core/contract/options.ts'
import {
  checkArgument,
  checkOptions,
  custom,
  type SchemasOf,
  text,
} from '../../core/store/options.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { keyIn, withoutWorld } from '../../core/text/world-key.ts'
import {
  arrange,
  type FindOptions,
  type Matches,
  toPredicate,
} from '../../core/store/record-query.ts'
import type { Clock } from '../../core/time/clock.ts'
import { readDate, toClockTime, toMilliseconds } from '../../core/time/time-text.ts'
import type { Answers } from '../actions/index.ts'
import type { ClockChange } from '../actions/clock.ts'
import { maxListed } from '../page.ts'
import type { WorldSummary } from '../shapes.ts'
import {
  caseTitle,
  eventTypeText,
  snapshotName,
  triggerSchemas,
} from '../../api/world-arguments.ts'
import { type CallOptions, ifKnown, type WorldCalls } from './control-api.ts'
import type { Remote, RemoteWorld, FollowOptions, RemoteJournal } from './remote.ts'
import type { JournalQuery, ViolationQuery } from '../../api/journal.ts'
import type { JournalEntry } from '../../core/journal/journal-entry.ts'
import { describeCutEntry, Matcher, toEntryView } from '../../core/journal/matching.ts'
import { checkJournalQuery, checkViolationQuery } from '../../core/journal/request-query.ts'
import { type RequestViolation, violationsIn } from '../../core/journal/violation.ts'
import { CallError } from './errors.ts'
import type { Fields } from '../../core/text/values.ts'

type RecordRoute = 'PATCH /worlds/{world}/records/{collection}/{id}'

/**
 * The records of a collection. `find` and `count` load all of them, and select as in process: a
 * condition may be a function.
 */
class ClientRecords implements Remote<Records<Fields>> {
  readonly #calls: WorldCalls
  readonly #name: string
  readonly #fields: readonly string[]

  constructor(calls: WorldCalls, { name, schema }: WorldCalls['facts']['collections'][number]) {
    this.#calls = calls
    this.#name = name
    this.#fields = Object.keys((schema['properties'] ?? {}) as object)
  }

  async count(matches?: Matches<Fields>): Promise<number> {
    if (matches !== undefined) return (await this.find(matches)).length
    return (await this.#page({ limit: 0 })).total
  }

  get(key: RecordKey): Promise<Fields | undefined> {
    return ifKnown('record', this.#one('GET', key), undefined)
  }

  async all(): Promise<Fields[]> {
    const { data, total } = await this.#page()
    const all = [...data]
    while (all.length < total) {
      const next = await this.#page({ offset: all.length })
      if (next.data.length === 0) break
      all.push(...next.data)
    }
    return all as Fields[]
  }

  async find(matches: Matches<Fields>, options: FindOptions<Fields> = {}): Promise<Fields[]> {
    const accepts = toPredicate(matches, this.#name, this.#fields)
    return arrange((await this.all()).filter(accepts), options, this.#name, this.#fields)
  }

  async create(values: Fields): Promise<Fields> {
    rejectSecond('create', arguments, 'Call it once for each record.')
    const options = { path: { collection: this.#name }, body: values }
    return (await this.#calls.call('POST /worlds/{world}/records/{collection}', options)) as Fields
  }

  async update(key: RecordKey, changes: Partial<Fields>): Promise<Fields | undefined> {
    // JSON has no `undefined`: there, `null` removes a field.
    const body = Object.fromEntries(
      Object.entries(changes ?? {}).map(([field, value]) => [field, value ?? null]),
    )
    return ifKnown('record', this.#one('PATCH', key, { body }), undefined)
  }

  delete(key: RecordKey): Promise<boolean> {
    const one = this.#one('DELETE', key, { query: { keep: true } })
    const deleted = one.then(() => true)
    return ifKnown('record', deleted, false)
  }

  async replace(records: readonly Fields[]): Promise<void> {
    await this.#calls.change('PUT /worlds/{world}/records/{collection}', {
      collection: this.#name,
      data: [...records],
    })
  }

  #page(query?: { readonly limit?: number; readonly offset?: number }) {
    return this.#calls.do('GET /worlds/{world}/records/{collection}', {
      collection: this.#name,
      ...query,
    })
  }

  async #one(
    method: 'GET' | 'PATCH' | 'DELETE',
    key: RecordKey,
    options: CallOptions<RecordRoute> = {},
  ): Promise<Fields> {
    // A key is known by its fingerprint.
    const id = this.#name === 'keys' ? await toFingerprintInPage(String(key)) : String(key)
    const route = `${method} /worlds/{world}/records/{collection}/{id}` as RecordRoute
    return (await this.#calls.read(route, {
      ...options,
      path: { collection: this.#name, id },
    })) as Fields
  }
}

/** Does the same as `toFingerprint`, with the digest of the platform. */
async function toFingerprintInPage(secret: string): Promise<string> {
  if (/^fp_[\da-f]{12}$/.test(secret)) return secret
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  const bytes = Array.from(new Uint8Array(digest).subarray(0, 6), (byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  return `fp_${bytes.join('')}`
}

export function createRemoteWorld(calls: WorldCalls, name: string): RemoteWorld {
  const { server } = calls
  const plantsUrl = name === 'default' ? server : `${server}/~${name}`
  const collections = calls.facts.collections.map(
    (one) => [one.name, new ClientRecords(calls, one)] as const,
  )
  const read = async <Name extends keyof WorldSummary>(name: Name) =>
    (await calls.do('GET /worlds/{world}'))[name]
  const change: WorldCalls['change'] = (route, fields) => calls.change(route, fields)
  const getters = {
    scenarios: () => read('scenarios'),
    seed: () => read('seed'),
    pinned: () => read('pinned'),
    snapshots: () => read('snapshots'),
    active: async () => (await calls.do('GET /worlds/{world}/scenarios')).active,
    assumptions: () => calls.do('GET /worlds/{world}/assumptions'),
  }
  return withGetters<RemoteWorld, keyof typeof getters>(getters, {
    name,
    plantsUrl,
    appsUrl: `${plantsUrl}/v1`,
    clock: createRemoteClock(calls),
    journal: new ClientJournal(calls),
    records: withKnownNames(Object.fromEntries(collections)) as RemoteWorld['records'],
    async use(choice: ScenarioChoice, options?: Fields) {
      if (typeof options === 'string')
        rejectSecond('world.use', arguments, 'Call it once for each scenario.')
      const named = typeof choice === 'string' && options ? { name: choice } : choice
      const one = options ? { ...(named as object), ...options } : choice
      await change('POST /worlds/{world}/scenarios', { active: [one] })
    },
    useOnly: (active) => change('PUT /worlds/{world}/scenarios', { active }),
    async clear(scenario?: string) {
      rejectSecond('world.clear', arguments, 'Call it once for each scenario.')
      if (scenario === undefined) await change('DELETE /worlds/{world}/scenarios')
      else await change('DELETE /worlds/{world}/scenarios/{scenario}', { scenario })
    },
    async assume(choices: string | object, value?: string) {
      const values = typeof choices === 'string' ? { [choices]: value } : choices
      checkArgument('world.assume', 'the first argument', values, assumptionValues)
      await change('PATCH /worlds/{world}/assumptions', values as Readonly<Record<string, string>>)
    },
    reset: (start?: WorldStart) => {
      if (start === undefined) return change('POST /worlds/{world}/reset')
      return change('PUT /worlds/{world}', start)
    },
    async snapshot(snapshot) {
      checkArgument('world.snapshot', 'the first argument', snapshot, snapshotName)
      await change('PUT /worlds/{world}/snapshots/{snapshot}', { snapshot })
    },
    async restore(snapshot) {
      checkArgument('world.restore', 'the first argument', snapshot, snapshotName)
      await change('POST /worlds/{world}/snapshots/{snapshot}/restore', { snapshot })
    },
    async toCase(title) {
      if (title !== undefined) checkArgument('world.toCase', 'the first argument', title, caseTitle)
      return calls.do('GET /worlds/{world}/case', { title })
    },
    settled: () => change('PATCH /worlds/{world}/clock', {}),
    async trigger(type: string, data?: object, options: TriggerOptions = {}) {
      checkArgument('world.trigger', 'the first argument', type, eventTypeText)
      checkOptions('world.trigger', options, triggerSchemas)
      const { account, app } = options
      const fields = { type, data: data as Fields, account, app_id: app }
      return [...(await calls.do('POST /worlds/{world}/events', fields)).data]
    },
    grade: (id) => calls.do('GET /worlds/{world}/webhooks/{id}/grade', { id }),
    examine: (id) => calls.do('POST /worlds/{world}/webhooks/{id}/grade', { id }),
    async createKey(key) {
      const { secret } = await calls.do('POST /worlds/{world}/keys', key)
      return { ...key, secret }
    },
    key(secret) {
      checkArgument('world.key', 'the first argument', secret, keySchema)
      return keyIn(name, secret)
    },
    delete() {
      const deleted = calls.call('DELETE /worlds/{world}').then(() => true)
      return ifKnown('world', deleted, false)
    },
  })
}

/**
 * Getters call the server: a printer or a spread, which reads all properties in sight, must not.
 */
function withGetters<T, Name extends keyof T>(
  getters: { readonly [One in Name]: () => T[One] },
  others: Omit<T, Name>,
): T {
  for (const [name, get] of Object.entries(getters))
    Object.defineProperty(others, name, { get: get as () => unknown })
  return others as T
}

function createRemoteClock(calls: WorldCalls): Remote<Clock> {
  const read = () => calls.do('GET /worlds/{world}/clock')
  const change = (fields: ClockChange) => calls.change('PATCH /worlds/{world}/clock', fields)
  const frozen = async () => (await read()).frozen
  return withGetters<Remote<Clock>, 'frozen'>(
    { frozen },
    {
      now: async () => readDate((await read()).now),
      async advance(duration) {
        rejectSecond('world.clock.advance', arguments, 'Write "5m".')
        toMilliseconds(duration)
        await change({ advance: duration })
      },
      async set(time) {
        toClockTime(time)
        await change({ now: time })
      },
      freeze: () => change({ frozen: true }),
      run: () => change({ frozen: false }),
    },
  )
}

const keySchema = text('a key, such as "key_pro"')

const assumptionValues = custom(
  'assumptions as text, such as { "plants.delete.unknown": "204" }',
  (values) => isObject(values) && Object.values(values).every((value) => typeof value === 'string'),
)

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
    checkViolationQuery(query, this.#calls.facts)
    const { operation, ignore } = query
    const page = await this.#page({ operation: toTyped(operation), violations: true })
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
    return { page: await this.#page({}), operations: this.#calls.facts.operations }
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
  async #checkKey(key: string): Promise<void> {
    const bare = withoutWorld(key)
    const [id, { keys }] = await Promise.all([
      toFingerprintInPage(bare),
      this.#calls.call('GET /start'),
    ])
    const path = { collection: 'keys', id }
    const one = this.#calls.read('GET /worlds/{world}/records/{collection}/{id}', { path })
    if ((await ifKnown('record', one, undefined)) || (await this.#page({ key })).data.length > 0)
      return
    const names = Object.keys(keys)
    throw codedError(
      'GREENHOUSE_UNKNOWN_NAME',
      describeProblem('Failed to call journal.calls(): the world has no such key', bare, names),
    )
  }

  async #page(
    query: CallOptions<JournalRoute>['query'],
    signal?: AbortSignal,
  ): Promise<JournalAnswer> {
    const read = (more?: { readonly before: number }) =>
      this.#calls.read('GET /worlds/{world}/journal', { query: { ...query, ...more }, signal })
    const newest = await read()
    let { data } = newest
    let [oldest] = data
    let isFull = query?.['limit'] === undefined && data.length === maxListed
    while (isFull && oldest) {
      const page = (await read({ before: oldest.id })).data
      isFull = page.length === maxListed
      data = [...page, ...data]
      ;[oldest] = page
    }
    return { ...newest, data }
  }
}
