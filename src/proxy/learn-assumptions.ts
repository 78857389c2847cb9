import { replyHeader } from '../core/http/reply.ts'
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
  readonly ok: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  /** The time of the service, in milliseconds since 1970. */
  readonly at: number
  /** How many plants the caller has, and whether one has an id: `undefined` if nobody knows. */
  readonly plants: number
  readonly hasPlant: (id: string) => boolean | undefined
}

/** An assumption, the operation or the area whose replies show it, when they do, and what they show. */
type Row = readonly [
  id: string,
  of: string,
  shows: (shown: Shown) => boolean,
  read: (shown: Shown) => string | undefined,
]

const limitNames = ['limit', 'max', 'count', 'per_page']
const appFields = ['name', 'display_name', 'description', 'model', 'system_prompt', 'welcome_message', 'login_required']

const toStatus = ({ status }: Shown) => String(status)
const ifOk = (yes: string, no?: string) => (shown: Shown) => (shown.ok ? yes : (no ?? toStatus(shown)))
const ifSent = (name: string, yes: string, no: string) => (shown: Shown) =>
  shown.headers[name] === undefined ? no : yes
const isOk = ({ ok }: Shown) => ok
const isAccepted = ({ ok, status }: Shown) => ok || status === 400
const listOf = ({ json }: Shown) => (Array.isArray(json) ? (json as unknown[]) : [])
const limitOf = ({ query }: Shown) => limitNames.map((name) => query.get(name)).find((value) => value !== null)
const nameOfLimit = ({ query }: Shown) => limitNames.find((name) => /^[1-9]\d*$/.test(query.get(name) ?? ''))
const idOf = ({ path }: Shown) => path.slice(path.lastIndexOf('/') + 1)
const strangeField = ({ sent }: Shown, known: readonly string[]) =>
  sent && Object.keys(sent).find((name) => !known.includes(name))
const hasStrangeQuery = (shown: Shown) =>
  isAccepted(shown) && shown.query.size === 1 && shown.query.keys().next().value!.startsWith('x')

export function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** The unit of X-RateLimit-Reset, and how far away it is, in milliseconds. */
export function readWindow(text: string, at: number): { unit: string; left: number } | undefined {
  const number = Number(text)
  const time = Date.parse(text)
  if (text === '' || (Number.isNaN(number) && Number.isNaN(time))) return undefined
  if (Number.isNaN(number)) return { unit: 'iso-8601', left: time - at }
  if (number >= 1e11) return { unit: 'epoch-milliseconds', left: number - at }
  if (number >= 1e8) return { unit: 'epoch-seconds', left: number * 1_000 - at }
  return { unit: 'delta-seconds', left: number * 1_000 }
}

/** Returns what a reply shows of assumptions. What needs a probe is for `verify`. */
export function* readAssumptions(shown: Shown): Generator<readonly [id: string, value: string]> {
  for (const [id, of, shows, read] of rows) {
    if ((of !== shown.operation && of !== shown.area && of !== 'all') || !shows(shown)) continue
    const value = read(shown)
    if (value !== undefined) yield [id, value]
  }
}

const rows: readonly Row[] = [
  ['plants.body.includes-id', 'plants.create', isOk, ({ json }) => (partOf(json, 'id') === undefined ? 'no' : 'yes')],
  [
    'plants.body.includes-id',
    'plants.list',
    (shown) => listOf(shown).length > 0,
    (shown) => (partOf(listOf(shown)[0], 'id') === undefined ? 'no' : 'yes'),
  ],
  ['plants.delete.status', 'plants.delete', (shown) => shown.ok && shown.hasPlant(idOf(shown)) === true, toStatus],
  ['plants.delete.unknown', 'plants.delete', (shown) => shown.hasPlant(idOf(shown)) === false, toStatus],
  ['plants.delete.invalid-id', 'plants.delete', (shown) => !/^-?\d+$/.test(idOf(shown)), toStatus],
  [
    'plants.create.duplicate-id',
    'plants.create',
    ({ sent, hasPlant }) => hasPlant(String(sent?.['id'])) === true,
    ifOk('replace'),
  ],
  [
    'plants.create.unknown-fields',
    'plants.create',
    (shown) => isAccepted(shown) && strangeField(shown, ['id', 'name', 'tag']) !== undefined,
    (shown) => {
      if (!shown.ok) return 'reject'
      return partOf(shown.json, strangeField(shown, ['id', 'name', 'tag'])!) === undefined ? 'ignore' : 'keep'
    },
  ],
  [
    'plants.error-code',
    'plants',
    ({ status, json }) => status >= 400 && typeof partOf(json, 'error') === 'number',
    ({ status, json }) => (partOf(json, 'error') === status ? 'status' : 'numbered'),
  ],
  [
    'plants.rate-limits',
    'plants',
    ({ operation }) => operation !== undefined,
    ifSent('X-RateLimit-Limit', 'on', 'off'),
  ],
  [
    'plants.list.limit-name',
    'plants.list',
    (shown) => listOf(shown).length === Number(limitOf(shown)) && listOf(shown).length < shown.plants,
    nameOfLimit,
  ],
  [
    'plants.list.limit-zero',
    'plants.list',
    (shown) => limitOf(shown) === '0' && shown.plants > 0,
    (shown) => ifOk(listOf(shown).length === 0 ? 'empty' : 'all')(shown),
  ],
  ['plants.list.limit-invalid', 'plants.list', (shown) => !/^\d*$/.test(limitOf(shown) ?? ''), ifOk('ignore')],
  [
    'plants.list.limit-default',
    'plants.list',
    (shown) => shown.ok && limitOf(shown) === undefined && shown.plants > 20,
    (shown) => ['20', '100'].find((length) => Number(length) === listOf(shown).length) ?? 'all',
  ],
  ['plants.unknown-query', 'plants.list', hasStrangeQuery, ifOk('ignore', 'reject')],
  [
    'plants.unknown-method',
    'plants',
    ({ operation, method, hasKnownPath }) => operation === undefined && hasKnownPath && method !== 'HEAD',
    toStatus,
  ],
  ['plants.body.type', 'plants.create', ({ ok, sentType }) => !ok && !/^application\/json\b/.test(sentType), toStatus],
  ['apps.list.shape', 'apps.list', isOk, ({ json }) => (Array.isArray(json) ? 'array' : 'data')],
  ['apps.create.status', 'apps.create', isOk, toStatus],
  ['apps.delete.status', 'apps.delete', isOk, toStatus],
  ['apps.unknown-query', 'apps.list', hasStrangeQuery, ifOk('ignore', 'reject')],
  [
    'apps.unknown-fields',
    'apps.create',
    (shown) => isAccepted(shown) && strangeField(shown, appFields) !== undefined,
    ifOk('ignore', 'reject'),
  ],
  [
    'messages.stream.status',
    'messages.create',
    ({ headers }) => /^text\/event-stream\b/.test(headers['Content-Type'] ?? ''),
    toStatus,
  ],
  [
    'errors.request-id-header',
    'apps',
    () => true,
    ({ headers }) => (replyHeader(headers, 'X-Request-Id') === undefined ? 'absent' : 'sent'),
  ],
  ['rate-limit.retry-after', 'all', ({ status }) => status === 429, ifSent('Retry-After', 'sent', 'absent')],
  [
    'rate-limit.reset-unit',
    'all',
    () => true,
    ({ headers, at }) => readWindow(headers['X-RateLimit-Reset'] ?? '', at)?.unit,
  ],
  [
    'rate-limit.unauthenticated',
    'apps',
    ({ status }) => status === 401,
    ifSent('X-RateLimit-Limit', 'free-plan', 'absent'),
  ],
  [
    'auth.missing-code',
    'apps',
    ({ status, scheme }) => status === 401 && scheme === undefined,
    ({ json }) => String(partOf(partOf(json, 'error'), 'code')),
  ],
  [
    'auth.scheme-case',
    'all',
    ({ ok, status, scheme }) => /^bearer$/i.test(scheme ?? '') && scheme !== 'Bearer' && (ok || status === 401),
    ifOk('any', 'exact'),
  ],
  ['http.date', 'all', ({ headers }) => headers['Date'] === undefined, () => 'absent'],
  [
    'http.unknown-path',
    'all',
    ({ hasKnownPath, scheme, status }) => !hasKnownPath && scheme === undefined && [401, 404].includes(status),
    ({ status }) => (status === 404 ? '404-first' : 'checked'),
  ],
]
