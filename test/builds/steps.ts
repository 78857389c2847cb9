import fc from 'fast-check'
import type { OperationSummary } from '../../src/index.ts'

/** Something that happens to a world, in words that shrink and print well. */
export type Step =
  | { readonly kind: 'ask'; readonly ask: RandomAsk }
  | { readonly kind: 'clock'; readonly advance: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'use'; readonly scenarios: readonly string[] }
  | { readonly kind: 'assume'; readonly values: Readonly<Record<string, string>> }

/** A request about something that is there, or about nothing. */
export interface RandomAsk {
  readonly operation: OperationSummary
  /** Which of the places that fill the path is meant. Undefined: `junk` fills it. */
  readonly place: number | undefined
  readonly junk: string
  readonly world: string
  readonly query: string
  /** In place of the operation's. */
  readonly method: string | undefined
  /** In place of the owner's; `null` sends none. */
  readonly authorization: string | null | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array | undefined
}

/** Valid bodies, and nearly valid ones. */
const bodies: Readonly<Record<string, readonly unknown[]>> = {
  'plants.create': [
    { id: 5000, name: 'Ficus', tag: 'tree' },
    { id: 5001, name: 'Fi\u00e7us \u{1F331}' },
    { id: 1, name: 'taken' },
    { id: 1.5, name: 'x' },
    { name: 'Ficus' },
    [],
  ],
  'sensors.create': [
    { plant: 101 },
    { plant: 101, alarm_below: 30 },
    { plant: 'fern' },
    { plant: 0 },
    {},
  ],
  'sensors.update': [{ alarm_below: 60 }, { alarm_below: 101 }, {}],
  'sensors.report': [{ moisture: 5 }, { moisture: 80 }, { moisture: -1 }, {}],
  'apps.create': [
    { name: 'helper' },
    { name: 'h', description: '\u00fcber', login_required: true },
    { name: '' },
    {},
  ],
  'apps.update': [{ description: 'Helps' }, { name: 'renamed' }, { model: 7 }, {}],
  'conversations.create': [
    { user: { email: 'a@example.com' } },
    {},
    { platform: 'fax' },
    { user_id: 'usr_none' },
  ],
  'messages.create': [
    { content: 'W\u00e4chst' },
    { content: 'Hello', stream: true },
    { content: '' },
    { stream: 'yes' },
  ],
  'webhooks.create': [
    { url: 'http://127.0.0.1:9/hook', events: ['app.created'] },
    { url: 'http://127.0.0.1:9/hook' },
    { url: 'ftp://x' },
    { url: 'http://127.0.0.1:9/', events: ['nothing'] },
  ],
  'webhooks.update': [
    { events: ['app.created', 'app.deleted'] },
    { enabled: true },
    { enabled: false },
    { url: 7 },
  ],
  'deployments.create': [
    { domain: 'chat.example.com', branding: { name: 'Chat' } },
    { domain: 'chat.dns-fails.example' },
    { domain: 'xn--' },
    { domain: 'a.example', branding: { primary_color: 'red' } },
  ],
  'deployments.update': [{ branding: { name: 'Chat' } }, { branding: { logo_url: 'nope' } }, {}],
  'subscription.update': [{ plan: 'pro_plus' }, { plan: 'lite' }, { plan: 'gold' }, {}],
  'purchases.create': [
    { amount: 100, payment_method: 'pm_ok' },
    { amount: 100, payment_method: 'pm_declined' },
    { amount: -1, payment_method: 'pm_ok' },
    { amount: 1e300 },
  ],
}

const texts = [
  '',
  '{',
  'null',
  '"x"',
  '[1,]',
  '{"id":9223372036854775808,"name":"large"}',
  '{"id":9223372036854775807,"name":"largest"}',
  '{"id":5e3,"name":"x"}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"x":1},"constructor":7}',
  '\ufeff{}',
  '{"name":"\\ud800"}',
  'name=Ficus&id=5',
  `{"name":"${'x'.repeat(300)}"}`,
]

const bytes = [
  Uint8Array.of(123, 255, 125),
  Uint8Array.of(0xff, 0xfe, 123, 0, 125, 0),
  Uint8Array.of(0),
]

const queries = [
  [
    'limit=2',
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'limit=%32',
    'limit=+2',
    'limit=1e1',
  ],
  [
    'cursor=c_5',
    'cursor=x',
    'cursor=',
    'order=asc',
    'order=desc',
    'order=up',
    'role=user',
    'role=system',
  ],
  [
    'status=ended',
    'status=open',
    'from=2026-02-01&to=2026-03-01',
    'from=x',
    'user_id=',
    'interval=month',
  ],
  [
    'interval=week',
    'group_by=app',
    'group_by=nothing',
    'app_id=app_none',
    'state=live',
    'type=app.created',
  ],
  [
    'x=%zz',
    'x=100%',
    'x=%',
    'x=%C3%A4',
    'x=%c3',
    '%zz=1',
    'x=%00',
    'x=%2525',
    'x=a+b',
    '',
    '&&',
    '=',
    '?',
    'x#',
  ],
  ['unknown=1', 'Limit=1', 'limit[]=1', 'api_key=key_pro', 'x=key_free', `x=${'y'.repeat(500)}`],
].flat()

const junk = [
  [
    '%zz',
    '%',
    '%C3%A4',
    '%c3',
    '%00',
    '%2F',
    '%2e%2e',
    '..',
    '.',
    '',
    ' ',
    'x'.repeat(200),
    '0',
    '-1',
    '1.0',
    '01',
  ],
  [
    '9223372036854775807',
    '9223372036854775808',
    'app_none',
    'conv_aaaaaaaaaaaaaaaa',
    'key_pro',
    '{id}',
    '~',
    'a;b=c',
  ],
].flat()

const odd: readonly (readonly [name: string, value: string])[] = [
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'APPLICATION/JSON;charset=UTF-8'],
  ['content-type', 'application/x-www-form-urlencoded'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Accept', 'text/event-stream'],
  ['Accept', 'application/xml'],
  ['Origin', 'http://localhost:5173'],
  ['Origin', 'https://elsewhere.example'],
  ['Origin', 'null'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Access-Control-Request-Method', 'DELETE'],
  ['Idempotency-Key', 'one'],
  ['Idempotency-Key', 'two'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['X-Greenhouse-World', 'other'],
  ['X-Greenhouse-World', 'not a name'],
  ['X-Request-Id', 'mine'],
  ['Authorization', 'Bearer key_free'],
  ['Cookie', 'a=b; session=key_pro'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-3'],
  ['X-Odd', 'caf\u00e9'],
  ['X-Empty', ''],
]

/** Scenarios that hold nothing back: with the clock frozen it would never come. */
const scenarios = [
  [
    'server-error',
    'bad-request',
    'empty-body',
    'empty-reply',
    'connection-reset',
    'garbage',
    'truncated-body',
  ],
  [
    'rate-limited-plan',
    'rate-limited-plan:window=day',
    'rate-limit-nearly-reached',
    'expired-key',
    'revoked-key',
  ],
  [
    'malformed-plant:field=tag;kind=null',
    'malformed-reply',
    'malformed-error-body',
    'missing-content-type',
  ],
  [
    'duplicated-headers',
    'legacy-rate-limit-headers:unit=iso-8601',
    'wrong-rate-limit-headers',
    'invalid-utf8',
  ],
  [
    'random-failures:probability=0.5',
    'every-third-fails',
    'flaky',
    'stream-breaks:events=2',
    'stream-error-event',
  ],
  [
    'strict-service',
    'stale-replies',
    'maintenance',
    'proxy-error-page:status=504',
    'read-only-key',
    'plan-upgrade',
  ],
  [
    'huge-store:count=5',
    'empty-store',
    'plan-downgrade',
    'purchase-declined',
    'webhook-duplicate',
    'webhook-late',
  ],
  ['forbidden'],
  [
    'nothing',
    'server-error:on=',
    'slow:ms=x',
    'malformed-plant:field=tag;kind=null, server-error:on=apps.*',
    ';',
    ':',
  ],
].flat()

const sound = scenarios.slice(0, -6)

const authorizations = [
  [
    'Bearer key_free',
    'Bearer key_lite',
    'Bearer key_pro',
    'Bearer key_pro_plus',
    'Bearer key_readonly',
  ],
  [
    'Bearer key_expired',
    'Bearer key_revoked',
    'Bearer nonsense',
    'Bearer',
    'Basic abc',
    'bearer key_pro',
    '',
  ],
  [
    'Bearer key_pro@other',
    'Bearer key_pro@not a name',
    'Bearer  key_pro',
    'Bearer key_pro, Bearer key_free',
  ],
].flat()

const assumptions: readonly Readonly<Record<string, string>>[] = [
  { 'plants.rate-limits': 'on' },
  { 'plants.body.includes-id': 'yes' },
  { 'plants.delete.unknown': '204' },
  { 'plants.create.duplicate-id': 'replace' },
  { 'plants.list.order': 'newest' },
  { 'rate-limit.window': 'sliding' },
  { 'rate-limit.scope': 'key' },
  { 'apps.create.status': '200' },
  { 'apps.delete.status': '200' },
  { 'payments.settle': 'instant' },
]

const header = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...scenarios)
      .map((name) => ['X-Greenhouse-Scenario', name] as const),
  },
)

/** Mostly `usual`, and the other one now and then. */
function mostly<Usual, Other>(
  usual: Usual,
  other: fc.Arbitrary<Other>,
  weight = 5,
): fc.Arbitrary<Usual | Other> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
}

function bodyOf({ id, method }: OperationSummary): fc.Arbitrary<string | Uint8Array | undefined> {
  const junkBody = fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...bytes), fc.json())
  const own = bodies[id]
  if (own)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...own).map((one) => JSON.stringify(one)) },
      { weight: 1, arbitrary: junkBody },
    )
  return mostly(undefined, junkBody, method === 'GET' ? 20 : 6)
}

export function history(
  operations: readonly OperationSummary[],
  length: number,
): fc.Arbitrary<readonly Step[]> {
  const ask = fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      place: fc.oneof(
        { weight: 8, arbitrary: fc.nat(1_000_000) },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      junk: fc.constantFrom(...junk),
      world: mostly('', fc.constantFrom('/~other', '/~not%20a%20name', '/~'), 20),
      query: mostly(
        '',
        fc.oneof(
          fc.constantFrom(...queries),
          fc
            .array(fc.constantFrom(...'limt=&%2fcC3x+ '.split('')), { maxLength: 12 })
            .map((parts) => parts.join('')),
        ),
        operation.method === 'GET' ? 1 : 8,
      ),
      method: mostly(
        undefined,
        fc.constantFrom(
          'HEAD',
          'OPTIONS',
          'PUT',
          'PATCH',
          'DELETE',
          'POST',
          'TRACE',
          'PURGE',
          'get',
        ),
        12,
      ),
      authorization: mostly(undefined, fc.constantFrom(...authorizations, null), 4),
      headers: mostly([], fc.array(header, { maxLength: 3 }), 2),
      body: bodyOf(operation),
    }),
  )
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 40, arbitrary: ask.map((ask) => ({ kind: 'ask' as const, ask })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom('1s', '45s', '1m', '1h', '25h', '-90s')
        .map((advance) => ({ kind: 'clock' as const, advance })),
    },
    {
      weight: 1,
      arbitrary: fc
        .subarray(sound, { maxLength: 2 })
        .map((some) => ({ kind: 'use' as const, scenarios: some })),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...assumptions)
        .map((values) => ({ kind: 'assume' as const, values })),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
  )
  return fc.array(step, { minLength: 1, maxLength: length, size: 'max' })
}
