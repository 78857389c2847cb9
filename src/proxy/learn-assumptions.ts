import { Date } from '../core/time/system-time.ts'

/** What one reply of a real service shows, as the rows below read it. */
export interface Shown {
  readonly area: string
  readonly operation: string | undefined
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly sent: Readonly<Record<string, unknown>> | undefined
  readonly sentType: string
  readonly scheme: string | undefined
  readonly hasKnownPath: boolean
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  /** The time of the service, in milliseconds since 1970. */
  readonly at: number
  /** How many plants the caller has, and whether one has an id: `undefined` if nobody knows. */
  readonly plants: number
  readonly hasPlant: (id: string) => boolean | undefined
}

type Row = readonly [id: string, read: (shown: Shown) => string | undefined]

const limitNames = ['limit', 'max', 'count', 'per_page']
const isSuccess = ({ status }: Shown) => status >= 200 && status < 300
const isPlain = ({ status }: Shown) => isSuccess({ status } as Shown) || status === 400
const toText = (status: number) => String(status)

export function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** Reads a statement that holds for one operation. */
const of =
  (operation: string, read: (shown: Shown) => string | undefined) =>
  (shown: Shown): string | undefined =>
    shown.operation === operation ? read(shown) : undefined

const limitOf = ({ query }: Shown) => limitNames.map((name) => query.get(name)).find((value) => value !== null)

function isUnknownQuery({ operation, query }: Shown): boolean {
  return [...query.keys()].length === 1 && operation !== undefined && query.keys().next().value!.startsWith('x')
}

const strange = (sent: Shown['sent'], known: readonly string[]) =>
  sent && Object.keys(sent).find((name) => !known.includes(name))

/** The unit of X-RateLimit-Reset, and how far away it is, in milliseconds. */
export function readWindow(text: string, at: number): { unit: string; left: number } | undefined {
  const number = Number(text)
  if (text === '' || (Number.isNaN(number) && Number.isNaN(Date.parse(text)))) return undefined
  if (Number.isNaN(number)) return { unit: 'iso-8601', left: Date.parse(text) - at }
  if (number >= 1e11) return { unit: 'epoch-milliseconds', left: number - at }
  return number >= 1e8
    ? { unit: 'epoch-seconds', left: number * 1_000 - at }
    : { unit: 'delta-seconds', left: number * 1_000 }
}

/** A row for each assumption that ordinary traffic shows. What needs a probe is for `verify`. */
export const rows: readonly Row[] = [
  [
    'plants.body.includes-id',
    (shown) => {
      if (shown.area !== 'plants' || !isSuccess(shown)) return undefined
      const plant = Array.isArray(shown.json) ? (shown.json as unknown[])[0] : shown.json
      return partOf(plant, 'name') === undefined ? undefined : partOf(plant, 'id') === undefined ? 'no' : 'yes'
    },
  ],
  [
    'plants.delete.status',
    of('plants.delete', (shown) => (known(shown, true) && isSuccess(shown) ? toText(shown.status) : undefined)),
  ],
  [
    'plants.delete.unknown',
    of('plants.delete', (shown) => (known(shown, false) && shown.status < 500 ? toText(shown.status) : undefined)),
  ],
  [
    'plants.delete.invalid-id',
    of('plants.delete', ({ path, status }) => (/\/-?\d+$/.test(path) ? undefined : toText(status))),
  ],
  [
    'plants.create.duplicate-id',
    of('plants.create', (shown) => {
      if (shown.hasPlant(String(shown.sent?.['id'])) !== true) return undefined
      return isSuccess(shown) ? 'replace' : toText(shown.status)
    }),
  ],
  [
    'plants.create.unknown-fields',
    of('plants.create', (shown) => {
      const name = strange(shown.sent, ['id', 'name', 'tag'])
      if (name === undefined || !isPlain(shown)) return undefined
      if (!isSuccess(shown)) return 'reject'
      return partOf(shown.json, name) === undefined ? 'ignore' : 'keep'
    }),
  ],
  [
    'plants.error-code',
    ({ area, status, json }) => {
      const error = partOf(json, 'error')
      return area === 'plants' && status >= 400 && typeof error === 'number'
        ? error === status
          ? 'status'
          : 'numbered'
        : undefined
    },
  ],
  [
    'plants.rate-limits',
    ({ area, operation, headers }) =>
      area === 'plants' && operation ? (headers['X-RateLimit-Limit'] === undefined ? 'off' : 'on') : undefined,
  ],
  [
    'plants.list.limit-name',
    of('plants.list', (shown) => {
      const name = limitNames.find((one) => /^[1-9]\d*$/.test(shown.query.get(one) ?? ''))
      const length = Array.isArray(shown.json) ? shown.json.length : undefined
      return name !== undefined && length === Number(shown.query.get(name)) && length < shown.plants ? name : undefined
    }),
  ],
  [
    'plants.list.limit-zero',
    of('plants.list', (shown) =>
      limitOf(shown) !== '0'
        ? undefined
        : isSuccess(shown)
          ? (shown.json as unknown[]).length === 0
            ? 'empty'
            : 'all'
          : toText(shown.status),
    ),
  ],
  [
    'plants.list.limit-invalid',
    of('plants.list', (shown) =>
      /^\d*$/.test(limitOf(shown) ?? '') ? undefined : isSuccess(shown) ? 'ignore' : toText(shown.status),
    ),
  ],
  [
    'plants.list.limit-default',
    of('plants.list', (shown) => {
      if (!isSuccess(shown) || limitOf(shown) !== undefined || shown.plants <= 20) return undefined
      const { length } = shown.json as unknown[]
      return length === 20 || length === 100 ? toText(length) : 'all'
    }),
  ],
  [
    'plants.unknown-query',
    of('plants.list', (shown) =>
      isUnknownQuery(shown) && isPlain(shown) ? (isSuccess(shown) ? 'ignore' : 'reject') : undefined,
    ),
  ],
  [
    'plants.unknown-method',
    ({ area, operation, method, hasKnownPath, status }) =>
      area === 'plants' && !operation && hasKnownPath && method !== 'HEAD' && [404, 405].includes(status)
        ? toText(status)
        : undefined,
  ],
  [
    'plants.body.type',
    of('plants.create', ({ sentType, status }) =>
      /^application\/json\b/.test(sentType) || ![400, 415].includes(status) ? undefined : toText(status),
    ),
  ],
  [
    'apps.list.shape',
    of('apps.list', (shown) => (isSuccess(shown) ? (Array.isArray(shown.json) ? 'array' : 'data') : undefined)),
  ],
  ['apps.create.status', of('apps.create', (shown) => (isSuccess(shown) ? toText(shown.status) : undefined))],
  ['apps.delete.status', of('apps.delete', (shown) => (isSuccess(shown) ? toText(shown.status) : undefined))],
  [
    'apps.unknown-query',
    of('apps.list', (shown) =>
      isUnknownQuery(shown) && isPlain(shown) ? (isSuccess(shown) ? 'ignore' : 'reject') : undefined,
    ),
  ],
  [
    'apps.unknown-fields',
    of('apps.create', (shown) =>
      strange(shown.sent, appFields) !== undefined && isPlain(shown)
        ? isSuccess(shown)
          ? 'ignore'
          : 'reject'
        : undefined,
    ),
  ],
  [
    'messages.stream.status',
    of('messages.create', (shown) =>
      shown.headers['Content-Type']?.startsWith('text/event-stream') ? toText(shown.status) : undefined,
    ),
  ],
  [
    'errors.request-id-header',
    ({ area, headers }) =>
      area === 'apps'
        ? Object.keys(headers).some((name) => name.toLowerCase() === 'x-request-id')
          ? 'sent'
          : 'absent'
        : undefined,
  ],
  [
    'rate-limit.retry-after',
    ({ status, headers }) => (status === 429 ? (headers['Retry-After'] === undefined ? 'absent' : 'sent') : undefined),
  ],
  ['rate-limit.reset-unit', ({ headers, at }) => readWindow(headers['X-RateLimit-Reset'] ?? '', at)?.unit],
  [
    'rate-limit.unauthenticated',
    ({ area, status, headers }) =>
      area === 'apps' && status === 401
        ? headers['X-RateLimit-Limit'] === undefined
          ? 'absent'
          : 'free-plan'
        : undefined,
  ],
  [
    'auth.missing-code',
    ({ area, status, scheme, json }) =>
      area === 'apps' && status === 401 && scheme === undefined
        ? String(partOf(partOf(json, 'error'), 'code'))
        : undefined,
  ],
  [
    'auth.scheme-case',
    (shown) =>
      shown.scheme === undefined || shown.scheme === 'Bearer' || shown.scheme.toLowerCase() !== 'bearer'
        ? undefined
        : isSuccess(shown)
          ? 'any'
          : shown.status === 401
            ? 'exact'
            : undefined,
  ],
  ['http.date', ({ headers }) => (headers['Date'] === undefined ? 'absent' : undefined)],
  [
    'http.head',
    (shown) =>
      shown.method === 'HEAD' && shown.hasKnownPath
        ? isSuccess(shown)
          ? 'as-get'
          : shown.status === 404
            ? '404'
            : undefined
        : undefined,
  ],
  [
    'http.unknown-path',
    ({ operation, hasKnownPath, scheme, status }) =>
      !operation && !hasKnownPath && scheme === undefined
        ? status === 404
          ? '404-first'
          : status === 401
            ? 'checked'
            : undefined
        : undefined,
  ],
]

const appFields = ['name', 'display_name', 'description', 'model', 'system_prompt', 'welcome_message', 'login_required']

function known({ path, hasPlant }: Shown, expected: boolean): boolean {
  return hasPlant(path.slice(path.lastIndexOf('/') + 1)) === expected
}
