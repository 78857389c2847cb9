import { toPanelFailure } from './failure.ts'
import type { OpenApi } from './open-api.ts'
import type {
  AccountSummary,
  AssumptionSummary,
  AssumptionsInForce,
  ClockChange,
  ClockSummary,
  CollectionSize,
  CollectionSummary,
  DeliveryFilter,
  DeliverySummary,
  DoneWork,
  DueSummary,
  EvidenceSummary,
  OpenedCase,
  EventTrigger,
  FixtureFile,
  Grade,
  Har,
  JournalEntry,
  JournalFilter,
  JournalPage,
  KeySummary,
  List,
  NewKey,
  OperationSummary,
  FileProblems,
  RecordsFilter,
  RecordValue,
  PanelChoice,
  ScenarioSummary,
  CollectionComparison,
  SnapshotSummary,
  Start,
  TriggeredDelivery,
  WorldStartBody,
  WorldSummary,
} from './shapes.ts'
import type { Transport } from './transport.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The routes of the control API as functions. Each throws ApiFailure for an error, and ConnectionError without an answer. */
export type Api = ReturnType<typeof createApi>

/** Creates the functions. @param onAnswer called with every answer, errors included. */
export function createApi(transport: Transport, onAnswer: () => void = () => undefined) {
  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { status, value } = await transport.call(method, path, body)
    onAnswer()
    if (status >= 200 && status < 300) return value as T
    throw toPanelFailure(status, value)
  }
  const get = <T>(path: string, query?: Query) => send<T>('GET', path + toQuery(query))
  const list = async <T>(path: string, query?: Query) => (await get<List<T>>(path, query)).data
  const post = <T>(path: string, body?: unknown) => send<T>('POST', path, body)
  const put = <T>(path: string, body?: unknown) => send<T>('PUT', path, body)
  const patch = <T>(path: string, body: unknown) => send<T>('PATCH', path, body)
  const remove = (path: string) => send<undefined>('DELETE', path)

  return {
    start: () => get<Start>('/start'),
    problems: () => get<FileProblems>('/problems'),
    scenarios: (search?: string) => list<ScenarioSummary>('/scenarios', { search }),
    assumptions: () => list<AssumptionSummary>('/assumptions'),
    operations: () => list<OperationSummary>('/operations'),
    collections: () => list<CollectionSummary>('/collections'),
    openApi: (world: string) => get<OpenApi>(at`/worlds/${world}/openapi.json`),

    evidence: (world: string) => get<EvidenceSummary>(at`/worlds/${world}/evidence`),

    worlds: () => list<WorldSummary>('/worlds'),
    world: (world: string) => get<WorldSummary>(at`/worlds/${world}`),
    /** Resets the world, or creates it. */
    putWorld: (world: string, start: WorldStartBody = {}) => put<WorldSummary>(at`/worlds/${world}`, start),
    /** The world `default` is reset instead. */
    deleteWorld: (world: string) => remove(at`/worlds/${world}`),
    /** @param snapshot the name of a snapshot that is saved first. All snapshots stay. */
    resetWorld: (world: string, snapshot: string) => post<WorldSummary>(at`/worlds/${world}/reset`, { snapshot }),

    activeScenarios: async (world: string) =>
      (await get<{ active: readonly PanelChoice[] }>(at`/worlds/${world}/scenarios`)).active,
    /** Switches scenarios on at a position among the active ones. */
    switchOn: (world: string, active: readonly PanelChoice[], place: number) =>
      post<unknown>(at`/worlds/${world}/scenarios`, { active, place }),
    switchOff: (world: string, scenario: string) => remove(at`/worlds/${world}/scenarios/${scenario}`),
    clearScenarios: (world: string) => remove(at`/worlds/${world}/scenarios`),

    clock: (world: string) => get<ClockSummary>(at`/worlds/${world}/clock`),
    /** Answers when all work that fell due on the way is done. */
    changeClock: (world: string, change: ClockChange) => patch<ClockSummary>(at`/worlds/${world}/clock`, change),

    /** The newest entries, oldest first. */
    journal: (world: string, filter: JournalFilter) => get<JournalPage>(at`/worlds/${world}/journal`, { ...filter }),
    journalEntry: (world: string, id: number) => get<JournalEntry>(at`/worlds/${world}/journal/${String(id)}`),
    clearJournal: (world: string) => remove(at`/worlds/${world}/journal`),
    /** Sends the recorded request again, with its real key. Returns the new entry. */
    replay: (world: string, id: number) => post<JournalEntry>(at`/worlds/${world}/journal/${String(id)}/replay`),
    /** The world as a case. @param until the id of the last request. */
    case: (world: string, until?: number) => get<unknown>(at`/worlds/${world}/case`, { until }),
    /** Replaces the world by a replayed case or HTTP Archive. */
    openCase: (world: string, file: string, text: string) => put<OpenedCase>(at`/worlds/${world}/case`, { file, text }),
    /** The journal as an HTTP Archive. */
    har: (world: string) => get<Har>(at`/worlds/${world}/journal.har`),

    /** Values by id. */
    worldAssumptions: (world: string) => get<AssumptionsInForce>(at`/worlds/${world}/assumptions`),
    assume: (world: string, values: Readonly<Record<string, string>>) =>
      patch<AssumptionsInForce>(at`/worlds/${world}/assumptions`, values),

    keys: (world: string) => list<KeySummary>(at`/worlds/${world}/keys`),
    createKey: (world: string, key: { account: string; scopes?: readonly string[]; expires_at?: string }) =>
      post<NewKey>(at`/worlds/${world}/keys`, key),
    changeKey: (world: string, id: string, change: { revoked?: boolean; expires_at?: string | null }) =>
      patch<KeySummary>(at`/worlds/${world}/keys/${id}`, change),
    deleteKey: (world: string, id: string) => remove(at`/worlds/${world}/keys/${id}`),

    accounts: (world: string) => list<AccountSummary>(at`/worlds/${world}/accounts`),
    account: (world: string, id: string) => get<AccountSummary>(at`/worlds/${world}/accounts/${id}`),
    changeAccount: (world: string, id: string, change: { plan?: string }) =>
      patch<AccountSummary>(at`/worlds/${world}/accounts/${id}`, change),
    /** Refills the quota of a window; without a window, of both. */
    refill: (world: string, id: string, window?: 'minute' | 'day') =>
      post<AccountSummary>(at`/worlds/${world}/accounts/${id}/refill`, window === undefined ? {} : { window }),

    collectionSizes: (world: string) => list<CollectionSize>(at`/worlds/${world}/records`),
    records: (world: string, collection: string, { where = {}, ...rest }: RecordsFilter = {}) =>
      get<{ readonly data: readonly RecordValue[]; readonly total: number; readonly places?: readonly number[] }>(
        at`/worlds/${world}/records/${collection}`,
        {
          ...rest,
          ...Object.fromEntries(Object.entries(where).map(([field, value]) => [`where.${field}`, value])),
        },
      ),
    record: (world: string, collection: string, id: string) =>
      get<RecordValue>(at`/worlds/${world}/records/${collection}/${id}`),
    /** @param place its former position, from `records` with `places`. */
    createRecord: (world: string, collection: string, record: RecordValue, place?: number) =>
      post<RecordValue>(at`/worlds/${world}/records/${collection}` + toQuery({ place }), record),
    changeRecord: (world: string, collection: string, id: string, change: RecordValue) =>
      patch<RecordValue>(at`/worlds/${world}/records/${collection}/${id}`, change),
    /** @param cascade also deletes records that refer to it. */
    deleteRecord: (world: string, collection: string, id: string, cascade = false) =>
      remove(at`/worlds/${world}/records/${collection}/${id}` + toQuery({ cascade: cascade || undefined })),
    export: (world: string) => list<FixtureFile>(at`/worlds/${world}/export`),
    exportCollection: (world: string, collection: string) =>
      list<FixtureFile>(at`/worlds/${world}/export/${collection}`),

    /** Triggers an event; answers after the first attempts. */
    trigger: async (world: string, event: EventTrigger) =>
      (await post<List<TriggeredDelivery>>(at`/worlds/${world}/events`, event)).data,
    deliveries: (world: string, filter: DeliveryFilter = {}) =>
      list<DeliverySummary>(at`/worlds/${world}/deliveries`, { ...filter }),
    delivery: (world: string, id: string) => get<DeliverySummary>(at`/worlds/${world}/deliveries/${id}`),
    redeliver: (world: string, id: string) => post<DeliverySummary>(at`/worlds/${world}/deliveries/${id}/redeliver`),
    grade: (world: string, webhook: string) => get<Grade>(at`/worlds/${world}/webhooks/${webhook}/grade`),
    /** Sends the receiver test requests, and grades it. */
    examine: (world: string, webhook: string) => post<Grade>(at`/worlds/${world}/webhooks/${webhook}/grade`),

    /** Soonest first. */
    due: (world: string) => list<DueSummary>(at`/worlds/${world}/due`),
    /** Moves the clock to the work that is due next, and does it. */
    runNext: (world: string) => post<DoneWork>(at`/worlds/${world}/due/next`),

    takeSnapshot: (world: string, name: string) => put<SnapshotSummary>(at`/worlds/${world}/snapshots/${name}`),
    /** @param snapshot the name of a snapshot that is saved first. */
    restoreSnapshot: (world: string, name: string, snapshot?: string) =>
      post<WorldSummary>(at`/worlds/${world}/snapshots/${name}/restore`, { snapshot }),
    deleteSnapshot: (world: string, name: string) => remove(at`/worlds/${world}/snapshots/${name}`),
    compareSnapshot: (world: string, name: string) =>
      list<CollectionComparison>(at`/worlds/${world}/snapshots/${name}/compare`),
  }
}

/** Returns a path with its parts encoded. */
function at(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  return texts.map((text, place) => text + (place < parts.length ? encodeURIComponent(parts[place]!) : '')).join('')
}

function toQuery(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0 ? '' : '?' + new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))
}
