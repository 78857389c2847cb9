import type { Greenhouse } from '../../api/greenhouse.ts'
import type {
  ActionFields,
  ControlApi,
  ControlApiOptions,
} from '../../control/client/control-api.ts'
import { ServerUnreachableError } from '../../control/client/errors.ts'
import { type ClientBases, toClientUrl } from '../../core/http/urls.ts'
import type { Answers } from '../../control/actions/index.ts'

export type { ClockChange, DueSummary } from '../../control/actions/clock.ts'
export type { AssumptionSummary } from '../../control/actions/server.ts'
export type { DeliverySummary } from '../../control/actions/webhooks.ts'
export type { ClockSummary, FileProblem } from '../../control/shapes.ts'
export type { ControlEvents, ControlEventType, RequestEvent } from '../../control/events.ts'
export type { JournalEntry } from '../../core/journal/journal-entry.ts'
export type { Verdict } from '../../core/journal/journal-record.ts'
export type { QuotaSummary, QuotaWindow } from '../../control/actions/accounts.ts'
export type { Grade } from '../../areas/apps/webhooks/report/check-receiver.ts'
export type { OptionDeclaration } from '../../scenarios/language/options.ts'
export type { JsonSchema } from '../../core/contract/json-schema.ts'
export type { Texts } from '../../core/text/values.ts'
export type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'

export type AttemptSummary = Answers['GET /worlds/{world}/deliveries/{id}']['attempts'][number]
export type CollectionSummary = Answers['GET /collections']['data'][number]
export type EvidenceSummary = Answers['GET /worlds/{world}/evidence']
export type JournalPage = Answers['GET /worlds/{world}/journal']
export type OpenedCase = Answers['PUT /worlds/{world}/case']
export type Start = Answers['GET /start']

/** A scenario: with a name and options; or inline, with a title. */
export type PanelChoice = (RecordValue & { name: string }) | InlineChoice

export type InlineChoice = RecordValue & {
  name?: undefined
  title: string
}

export type RecordValue = Readonly<Record<string, unknown>>

export interface Backend extends Pick<ControlApiOptions, 'fetch' | 'token'> {
  server: string
  /** Sends a request to the service itself. @param path from the root of the server */
  send(path: string, init: RequestInit): Promise<Response>
}

export interface InPageGreenhouse extends Pick<Greenhouse, 'fetch'> {
  origin: string
  controlFetch: typeof fetch
  /** Where the page is answered, if it has handlers. */
  bases(): ClientBases | undefined
}

export function sendInPage(greenhouse: Omit<InPageGreenhouse, 'controlFetch'>): Backend['send'] {
  return (path, init) => {
    const bases = greenhouse.bases()
    // Through the page's own fetch, so that MSW answers it as it answers the page.
    if (bases) return fetch(toClientUrl(bases)(path), init)
    return greenhouse.fetch(new Request(new URL(path, greenhouse.origin), init))
  }
}

export function isOffline(error: unknown): boolean {
  return error instanceof ServerUnreachableError
}

export function explainError(error: unknown): string {
  if (isOffline(error)) return 'The server does not answer. Is it still running?'
  if (error instanceof Error) return error.message
  return String(error)
}

/** @param query also has `where.FIELD` */
export async function readRecords<T = RecordValue>(
  control: ControlApi,
  collection: string,
  query?: Omit<ActionFields<'GET /worlds/{world}/records/{collection}'>, 'collection'>,
) {
  const page = await control.call('GET /worlds/{world}/records/{collection}', {
    ...query,
    collection,
  })
  return {
    ...page,
    data: page.data as readonly object[] as readonly T[],
  }
}

type RecordAddress = {
  world?: string
  collection: string
  id: string
}

export async function readRecord(control: ControlApi, place: RecordAddress): Promise<RecordValue> {
  return (await control.call('GET /worlds/{world}/records/{collection}/{id}', place)) as RecordValue
}

export async function patchRecord(
  control: ControlApi,
  place: RecordAddress,
  body: RecordValue,
): Promise<RecordValue> {
  return (await control.call('PATCH /worlds/{world}/records/{collection}/{id}', place, {
    body,
  })) as RecordValue
}

export async function readEventTypes(control: ControlApi): Promise<readonly string[]> {
  const { data } = await control.call('GET /collections')
  const { events } = data.find(({ name }) => name === 'webhooks')?.schema.properties ?? {}
  return (events?.items?.enum ?? []).map(String)
}

/**
 * The names of keys, by the fingerprint that records and the journal show. Only keys from fixtures
 * have names.
 */
export type KeyNames = ReadonlyMap<unknown, string>

export function toKeyNames(keys: Start['keys']): KeyNames {
  return new Map(Object.entries(keys).map(([name, { id }]) => [id, name]))
}

export async function readKeyNames(control: ControlApi): Promise<KeyNames> {
  const { keys } = await control.call('GET /start').catch(() => ({ keys: {} }))
  return toKeyNames(keys)
}
