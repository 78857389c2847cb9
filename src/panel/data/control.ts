import type { Greenhouse } from '../../api/greenhouse.ts'
import type {
  ActionFields,
  ControlApi,
  ControlApiOptions,
} from '../../control/client/control-api.ts'
import { ServerUnreachableError } from '../../control/client/errors.ts'
import { type ClientBases, toClientUrl } from '../../core/http/urls.ts'
import type { RecordValue, Start } from './shapes.ts'

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
