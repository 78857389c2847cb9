import type { Answers, RouteName } from '../../control/actions/index.ts'
import { toPanelFailure, type Transport } from './transport.ts'
import type { OpenApi } from './open-api.ts'
import type {
  AccountSummary,
  ClockChange,
  CollectionSummary,
  EventTrigger,
  PanelChoice,
  QuotaSummary,
  RecordsFilter,
  RecordValue,
} from './shapes.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

type ListName = {
  [Name in RouteName]: Answers[Name] extends { readonly data: readonly unknown[] } ? Name : never
}[RouteName]

/** The routes of the control API as functions. Each throws ApiFailure for an error, and ConnectionError without an answer. */
export type Api = ReturnType<typeof createApi>

export function createApi(transport: Transport, onAnswer: () => void) {
  const call = async <Name extends RouteName>(
    name: Name,
    parts: readonly string[] = [],
    { query, body }: { readonly query?: Query; readonly body?: unknown } = {},
  ): Promise<Answers[Name]> => {
    const [method, path] = name.split(' ') as [string, string]
    const { status, value } = await transport.call(method, fill(path, parts) + toQuery(query), body)
    onAnswer()
    if (status >= 200 && status < 300) return value as Answers[Name]
    throw toPanelFailure(status, value)
  }
  const list = async <Name extends ListName>(name: Name, parts?: readonly string[], query: Query = {}) => {
    const { data }: { readonly data: Answers[Name]['data'] } = await call(name, parts, { query })
    return data
  }
  const one = <T = RecordValue>(answer: Promise<object>) => answer as Promise<T>

  return {
    start: () => call('GET /start'),
    problems: () => call('GET /problems'),
    scenarios: (search?: string) => list('GET /scenarios', [], { search }),
    assumptions: () => list('GET /assumptions'),
    operations: () => list('GET /operations'),
    collections: async () => (await list('GET /collections')) as readonly CollectionSummary[],
    openApi: async (world: string) => (await call('GET /worlds/{world}/openapi.json', [world])) as OpenApi,

    evidence: (world: string) => call('GET /worlds/{world}/evidence', [world]),

    worlds: () => list('GET /worlds'),
    world: (world: string) => call('GET /worlds/{world}', [world]),
    putWorld: (world: string, start: { seed?: number; now?: string } = {}) =>
      call('PUT /worlds/{world}', [world], { body: start }),
    /** Deletes a world; resets `default` instead. */
    deleteWorld: (world: string) => call('DELETE /worlds/{world}', [world]),
    /** @param snapshot the name of a snapshot that is saved first. All snapshots stay. */
    resetWorld: (world: string, snapshot: string) =>
      call('POST /worlds/{world}/reset', [world], { body: { snapshot } }),

    activeScenarios: async (world: string): Promise<readonly PanelChoice[]> =>
      (await call('GET /worlds/{world}/scenarios', [world])).active,
    /** Replaces all active scenarios; their counts start again. */
    replaceScenarios: (world: string, active: readonly PanelChoice[]) =>
      call('PUT /worlds/{world}/scenarios', [world], { body: { active } }),
    switchOn: (world: string, active: readonly PanelChoice[], index: number) =>
      call('POST /worlds/{world}/scenarios', [world], { body: { active, place: index } }),
    switchOff: (world: string, scenario: string) =>
      call('DELETE /worlds/{world}/scenarios/{scenario}', [world, scenario]),
    clearScenarios: (world: string) => call('DELETE /worlds/{world}/scenarios', [world]),

    clock: (world: string) => call('GET /worlds/{world}/clock', [world]),
    changeClock: (world: string, change: ClockChange) => call('PATCH /worlds/{world}/clock', [world], { body: change }),

    /** The newest entries, oldest first. */
    journal: (world: string, filter: { limit: number; before?: number | undefined }) =>
      call('GET /worlds/{world}/journal', [world], { query: filter }),
    journalEntry: (world: string, id: number) => call('GET /worlds/{world}/journal/{id}', [world, String(id)]),
    clearJournal: (world: string) => call('DELETE /worlds/{world}/journal', [world]),
    replay: (world: string, id: number) => call('POST /worlds/{world}/journal/{id}/replay', [world, String(id)]),
    case: (world: string, until?: number) => call('GET /worlds/{world}/case', [world], { query: { until } }),
    openCase: (world: string, file: string, text: string) =>
      call('PUT /worlds/{world}/case', [world], { body: { file, text } }),
    har: (world: string) => call('GET /worlds/{world}/journal.har', [world]),

    worldAssumptions: (world: string) => call('GET /worlds/{world}/assumptions', [world]),
    assume: (world: string, values: Readonly<Record<string, string>>) =>
      call('PATCH /worlds/{world}/assumptions', [world], { body: values }),

    keys: (world: string) => list('GET /worlds/{world}/keys', [world]),
    createKey: (world: string, key: { account: string; scopes?: readonly string[]; expires_at?: string }) =>
      call('POST /worlds/{world}/keys', [world], { body: key }),
    changeKey: (world: string, id: string, change: { revoked?: boolean; expires_at?: string | null }) =>
      call('PATCH /worlds/{world}/keys/{id}', [world, id], { body: change }),
    deleteKey: (world: string, id: string) => call('DELETE /worlds/{world}/keys/{id}', [world, id]),

    accounts: (world: string) => list('GET /worlds/{world}/accounts', [world]),
    account: (world: string, id: string) => call('GET /worlds/{world}/accounts/{id}', [world, id]),
    changeAccount: (world: string, id: string, change: { plan?: string }) =>
      call('PATCH /worlds/{world}/accounts/{id}', [world, id], { body: change }),
    refill: (world: string, id: string, window?: 'minute' | 'day') =>
      call('POST /worlds/{world}/accounts/{id}/refill', [world, id], { body: { window } }),

    collectionSizes: (world: string) => list('GET /worlds/{world}/records', [world]),
    records: async <T = RecordValue>(
      world: string,
      collection: string,
      { where = {}, ...rest }: RecordsFilter = {},
    ) => {
      const fields = Object.fromEntries(Object.entries(where).map(([field, value]) => [`where.${field}`, value]))
      const page = await call('GET /worlds/{world}/records/{collection}', [world, collection], {
        query: { ...rest, ...fields },
      })
      return { ...page, data: page.data as readonly object[] as readonly T[] }
    },
    record: <T = RecordValue>(world: string, collection: string, id: string) =>
      one<T>(call('GET /worlds/{world}/records/{collection}/{id}', [world, collection, id])),
    createRecord: (world: string, collection: string, record: RecordValue, place?: number) =>
      one(call('POST /worlds/{world}/records/{collection}', [world, collection], { query: { place }, body: record })),
    changeRecord: (world: string, collection: string, id: string, change: RecordValue) =>
      one(call('PATCH /worlds/{world}/records/{collection}/{id}', [world, collection, id], { body: change })),
    deleteRecord: (world: string, collection: string, id: string, cascade = false) =>
      call('DELETE /worlds/{world}/records/{collection}/{id}', [world, collection, id], {
        query: { cascade: cascade || undefined },
      }),
    export: (world: string) => list('GET /worlds/{world}/export', [world]),
    exportCollection: (world: string, collection: string) =>
      list('GET /worlds/{world}/export/{collection}', [world, collection]),

    trigger: async (world: string, event: EventTrigger) =>
      (await call('POST /worlds/{world}/events', [world], { body: event })).data,
    deliveries: (world: string, filter: Query = {}) => list('GET /worlds/{world}/deliveries', [world], filter),
    delivery: (world: string, id: string) => call('GET /worlds/{world}/deliveries/{id}', [world, id]),
    redeliver: (world: string, id: string) => call('POST /worlds/{world}/deliveries/{id}/redeliver', [world, id]),
    grade: (world: string, webhook: string) => call('GET /worlds/{world}/webhooks/{id}/grade', [world, webhook]),
    examine: (world: string, webhook: string) => call('POST /worlds/{world}/webhooks/{id}/grade', [world, webhook]),

    due: (world: string) => list('GET /worlds/{world}/due', [world]),
    runNext: (world: string) => call('POST /worlds/{world}/due/next', [world]),

    takeSnapshot: (world: string, name: string) => call('PUT /worlds/{world}/snapshots/{snapshot}', [world, name]),
    restoreSnapshot: (world: string, name: string, snapshot?: string) =>
      call('POST /worlds/{world}/snapshots/{snapshot}/restore', [world, name], { body: { snapshot } }),
    deleteSnapshot: (world: string, name: string) => call('DELETE /worlds/{world}/snapshots/{snapshot}', [world, name]),
    compareSnapshot: (world: string, name: string) =>
      list('GET /worlds/{world}/snapshots/{snapshot}/compare', [world, name]),
  }
}

function fill(path: string, parts: readonly string[]): string {
  let index = 0
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(parts[index++]!))
}

function toQuery(query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0 ? '' : '?' + new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))
}

type Values = Readonly<Record<string, string>>

/** Changes assumptions of a world. Returns the new values, and a function that undoes the change unless it was changed again. @throws ApiFailure */
export async function changeAssumptions(api: Api, world: string, wanted: Values) {
  const before: Values = await api.worldAssumptions(world)
  const now: Values = await api.assume(world, wanted)
  const undo = async () => {
    const current: Values = await api.worldAssumptions(world)
    const ours = Object.keys(wanted).filter((id) => current[id] === wanted[id])
    if (ours.length === 0) throw new Error('It was changed again since: there is nothing to undo.')
    await api.assume(world, Object.fromEntries(ours.map((id) => [id, before[id]!])))
  }
  return { now, undo }
}

export async function readEventTypes(api: Api): Promise<readonly string[]> {
  const events = (await fieldsOf(api, 'webhooks'))['events']
  return (events?.items?.enum ?? []).map(String)
}

export async function readPlans(api: Api): Promise<readonly string[]> {
  const plan = (await fieldsOf(api, 'accounts'))['plan']
  return (plan?.enum ?? []).map(String)
}

async function fieldsOf(api: Api, collection: string) {
  return (await api.collections()).find(({ name }) => name === collection)?.schema.properties ?? {}
}

export async function placeOf(
  api: Api,
  world: string,
  { name, id: field }: Pick<CollectionSummary, 'name' | 'id'>,
  id: string,
): Promise<number | undefined> {
  const { places } = await api.records(world, name, { where: { [field]: id }, limit: 1, places: true })
  return places?.[0]
}

/** Returns the quotas of an account. With the assumption `rate-limit.scope` = `key`, each key has its own; otherwise the name is empty. */
export function quotasOf({ quota, keys }: AccountSummary): readonly { name: string; quota: QuotaSummary }[] {
  if (quota) return [{ name: '', quota }]
  return keys.flatMap((key) => (key.quota ? [{ name: key.name ?? key.id, quota: key.quota }] : []))
}
