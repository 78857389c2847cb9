import { expect, test } from 'vitest'
import { closedTransport } from '../../src/core/http/webhook-transport.ts'
import { type ViolationRule, violationRules } from '../../src/core/journal/violation.ts'
import { type CallOptions, open, testApi } from '../support/test-api.ts'

type Slip = [
  rule: ViolationRule,
  message: string,
  asked: `${string} ${string}`,
  options?: CallOptions,
]

const app = 'app_w33c4cwmhfyfktiv'
const hook = 'wh_m4t7qzc2xk5wr3nd'
const chat = `/v1/apps/${app}/conversations`
const plant = { id: 5000, name: 'Ficus' }

/** A slip and what is said of it: nothing else is. */
const slips: Slip[] = [
  ['unknown-path', 'There is no path /v1/acount. Did you mean GET /v1/account?', 'GET /v1/acount'],
  // Of a path that no operation has, nobody knows the query.
  [
    'unknown-path',
    'There is no path /v1/acount. Did you mean GET /v1/account?',
    'GET /v1/acount?limt=3&limt=4',
  ],
  [
    'unknown-path',
    'There is no path /v1/nothing/of/the/kind.',
    'GET /v1/nothing/of/the/kind',
    { key: null },
  ],
  [
    'unknown-method',
    'The path /plants does not have the method PUT, only POST, GET.',
    'PUT /plants',
    { body: plant },
  ],
  [
    'missing-key',
    'There is no API key. Send "Authorization: Bearer <API_KEY>".',
    'GET /plants',
    { key: null },
  ],
  [
    'missing-key',
    'There is no Authorization header, and the API does not read x-api-key. Send "Authorization: Bearer <API_KEY>".',
    'GET /plants',
    { key: null, headers: { 'X-API-Key': 'key_pro' } },
  ],
  [
    'missing-key',
    'The header Authorization does not begin with "Bearer" and a space. Send "Authorization: Bearer <API_KEY>".',
    'GET /plants',
    { key: null, headers: { authorization: 'key_pro' } },
  ],
  [
    'key-in-url',
    'The query parameter "api_key" holds a key or another secret. Servers log URLs: send the key only as "Authorization: Bearer <API_KEY>".',
    'GET /plants?api_key=something',
  ],
  ['key-in-url', 'The query parameter "user_id" holds', `GET ${chat}?user_id=key_pro`],
  ['key-in-url', 'The path holds a key or another secret.', 'GET /v1/apps/key_pro'],
  ['key-in-url', 'The path holds a key or another secret.', 'GET /v1/apps/key_pro%40default'],
  [
    'misspelt-header',
    'The API does not read the header x-ratelimt. Did you mean "X-RateLimit"?',
    'GET /plants',
    { headers: { 'X-RateLimt': '5' } },
  ],
  [
    'invalid-header',
    'Idempotency-Key must have at most 255 characters.',
    'POST /v1/apps',
    { body: { name: 'a' }, headers: { 'idempotency-key': 'x'.repeat(256) } },
  ],
  [
    'accept',
    'Accept is "text/html", which excludes the reply: application/json.',
    'GET /plants',
    { headers: { accept: 'text/html' } },
  ],
  [
    'accept',
    'which excludes the reply: application/json.',
    'GET /plants',
    { headers: { accept: 'application/json;q=0, */*' } },
  ],
  [
    'accept',
    'Accept is "application/json", which excludes the reply: text/event-stream.',
    `POST ${chat}/conv_any/messages`,
    { body: { content: 'a', stream: true }, headers: { accept: 'application/json' } },
  ],
  [
    'percent-encoding',
    'The percent-encoding of the query is not valid.',
    'GET /v1/apps?cursor=%zz',
  ],
  ['percent-encoding', 'The percent-encoding of the path is not valid.', 'GET /v1/apps/app_%E4'],
  [
    'wrong-id',
    `conversation_id is "${app}", which has the form of app_id: expected conv_….`,
    `GET ${chat}/${app}`,
  ],
  [
    'wrong-id',
    `user_id is "${app}", which has the form of app_id: expected usr_….`,
    `GET ${chat}?user_id=${app}`,
  ],
  [
    'wrong-id',
    `app_id is "${hook}", which has the form of webhook_id: expected app_….`,
    'POST /v1/webhooks',
    { body: { url: 'http://127.0.0.1:9/hook', app_id: hook } },
  ],
  ['wrong-id', 'app_id in the path is "undefined", which is not an id.', 'GET /v1/apps/undefined'],
  [
    'wrong-id',
    'app_id in the path is "{app_id}", which is not an id.',
    'DELETE /v1/apps/%7Bapp_id%7D',
  ],
  [
    'wrong-id',
    'id in the path must be an integer from -9223372036854775808 to 9223372036854775807, not "Ficus".',
    'DELETE /plants/Ficus',
  ],
  ['wrong-id', 'id in the path must be an integer from', 'DELETE /plants/99999999999999999999'],
  [
    'unknown-query',
    '"limt" is not a query parameter of this operation. Did you mean "limit"?',
    'GET /plants?limt=3',
  ],
  [
    'unknown-query',
    '"verbose" is not a query parameter of this operation.',
    'GET /v1/account?verbose=1',
  ],
  [
    'repeated-query',
    'The query parameter "limit" is sent 2 times: only its first value counts.',
    'GET /v1/apps?limit=3&limit=4',
  ],
  ['invalid-query', 'limit must be an integer from 1 to 100.', 'GET /v1/apps?limit=1000'],
  ['invalid-query', 'limit must be an integer from 0 to 2147483647.', 'GET /plants?limit=-1'],
  ['invalid-query', 'limit must be an integer from 0 to 2147483647.', 'GET /plants?limit=-0'],
  [
    'invalid-query',
    'order must be one of "desc", "asc". Did you mean "desc"?',
    'GET /v1/apps?order=dsc',
  ],
  [
    'unexpected-body',
    'The operation takes no body: the body is ignored.',
    `POST /v1/webhooks/${hook}/test`,
    { body: { now: 1 } },
  ],
  [
    'unexpected-body',
    'A DELETE request takes no body: the body is ignored.',
    `DELETE /v1/webhooks/${hook}`,
    { body: {} },
  ],
  [
    'unexpected-body',
    'The operation takes no body: the body is ignored.',
    `POST /v1/webhooks/${hook}/test`,
    { body: '{}', headers: { 'content-type': 'text/plain' } },
  ],
  ['missing-body', 'The body is missing: expected a JSON object.', 'POST /v1/apps'],
  [
    'missing-body',
    'The body is missing: expected a JSON object.',
    'POST /v1/apps',
    { headers: { 'content-type': 'application/json', 'content-encoding': 'zip' } },
  ],
  [
    'content-type',
    'The Content-Type must be application/json in UTF-8, not "text/plain".',
    'POST /plants',
    { body: plant, headers: { 'content-type': 'text/plain' } },
  ],
  [
    'content-encoding',
    'The Content-Encoding "zip" is not supported: send the body as it is.',
    'POST /plants',
    { body: plant, headers: { 'content-encoding': 'zip' } },
  ],
  // What cannot be read is judged no further.
  [
    'content-type',
    'The Content-Type must be application/json in UTF-8, not "text/plain".',
    'POST /plants',
    { body: '{', headers: { 'content-type': 'text/plain' } },
  ],
  [
    'content-encoding',
    'The Content-Encoding "zip" is not supported: send the body as it is.',
    'POST /plants',
    { body: '{', headers: { 'content-encoding': 'zip' } },
  ],
  [
    'invalid-body',
    'The body is not valid JSON.',
    'POST /plants',
    { body: '{', headers: { 'content-encoding': 'Identity' } },
  ],
  [
    'unknown-field',
    '"colour" is not a field of this request.',
    'POST /plants',
    { body: { ...plant, colour: 'red' } },
  ],
  [
    'unknown-field',
    '"user.emial" is not a field of this request. Did you mean "user.email"?',
    `POST ${chat}`,
    { body: { user: { email: 'a@example.com', emial: 'a@example.com' } } },
  ],
  ['invalid-body', 'name is required.', 'POST /plants', { body: { id: 1 } }],
  ['invalid-body', 'The body is not valid JSON.', 'POST /plants', { body: '{' }],
  ['invalid-body', 'The body must be a JSON object.', 'POST /plants', { body: '[]' }],
  [
    'invalid-body',
    'name must have at most 16384 characters.',
    'POST /v1/apps',
    { body: { name: 'x'.repeat(16_385) } },
  ],
]

testApi(
  'each rule finds its slip, and nothing else is said of it',
  {},
  async ({ greenhouse, world, call }) => {
    greenhouse.deliverThrough(closedTransport)
    const told: unknown[] = []
    for (const [, , asked, options] of slips) {
      const [method, path] = asked.split(' ') as [string, string]
      await call(method, path, options)
      told.push([asked, world.journal.calls().at(-1)!.violations])
    }
    expect(told).toEqual(
      slips.map(([rule, message, asked]) => [
        asked,
        [{ rule, message: expect.stringContaining(message) }],
      ]),
    )
  },
)

test('there is a slip for each rule', () => {
  expect(new Set(slips.map(([rule]) => rule))).toEqual(new Set(violationRules))
})

const cases: [accept: string, breaks: boolean][] = [
  ['', false],
  ['application/*', false],
  ['text/html, */*;q=0.8', false],
  ['*/*, application/json;q=0', true],
  ['application/*;q=0, application/json', false],
  ['application/json;q=0, application/json', false],
  ['application/json, application/json;q=0', false],
]

for (const [accept, breaks] of cases)
  testApi(
    `an Accept of "${accept}" ${breaks ? 'excludes' : 'takes'} JSON`,
    async ({ world, call }) => {
      await call('GET', '/plants', { headers: { accept } })
      expect(world.journal.calls()[0]!.violations?.map(({ rule }) => rule)).toEqual(
        breaks ? ['accept'] : undefined,
      )
    },
  )

testApi('a misspelt header is compared with the nearest known one', async ({ call, world }) => {
  for (const [name, meant] of [
    ['authorisation', 'Authorization'],
    ['x-idempotency-key', 'Idempotency-Key'],
    ['idempotency_key', 'Idempotency-Key'],
    ['x-ratelimit-remit', 'X-RateLimit-Limit'],
    ['x-ratelimit-leset', 'X-RateLimit-Reset'],
    ['x-ratelimit-reset1', 'X-RateLimit-Reset'],
  ]) {
    await call('GET', '/plants', { headers: { [name!]: '1' } })
    expect(world.journal.calls().at(-1)!.violations).toMatchObject([
      {
        rule: 'misspelt-header',
        message: `The API does not read the header ${name}. Did you mean "${meant}"?`,
      },
    ])
  }
})

testApi('a standard header is not taken for a misspelt one', async ({ call, world }) => {
  const names =
    'accept-charset accept-language accept-ranges content-range x-requested-with range cache-control'.split(
      ' ',
    )
  await call('GET', '/plants', { headers: Object.fromEntries(names.map((name) => [name, 'x'])) })
  expect(world.journal.calls().at(-1)!.violations).toBeUndefined()
})

const chats = `/v1/apps/${app}/conversations`
const user = 'usr_k2v7qpl5c4x3zt6m'
const email = { email: 'sam@example.com' }
const bearer = (key: string): CallOptions => ({
  key: null,
  headers: { authorization: `Bearer ${key}` },
})
const filled = (what: string) =>
  `missing-key: The header Authorization holds ${what} in place of a key. Send the key after "Bearer" and a space.`
const toRequest = (asked: string) => asked.split(' ') as [method: string, path: string]
const withKey = (key: string): CallOptions => ({
  body: { name: 'a' },
  headers: { 'idempotency-key': key },
})

/** Mistakes with their only violations. */
const mistakes: [told: string[], asked: string, options?: CallOptions][] = [
  ...[
    'undefined',
    'null',
    'NaN',
    '{user_id}',
    '%7Buser_id%7D',
    '${userId}',
    '<user_id>',
    ':user_id',
  ].map((id): (typeof mistakes)[number] => [
    [`wrong-id: user_id is "${decodeURIComponent(id)}", which is not an id.`],
    `GET ${chats}?user_id=${id}`,
  ]),
  [
    ['wrong-id: user_id is "undefined", which is not an id.'],
    `POST ${chats}`,
    { body: { user_id: 'undefined' } },
  ],
  [
    [
      'unknown-method: The path /v1/plans/undefined does not have the method PUT, only GET.',
      'wrong-id: plan_id in the path is "undefined", which is not an id.',
    ],
    'PUT /v1/plans/undefined',
  ],
  ...['undefined', 'null', 'None'].map((key): (typeof mistakes)[number] => [
    [filled('a missing value, converted to a string,')],
    'GET /plants',
    bearer(key),
  ]),
  ...['<API_KEY>', '{api_key}', '${API_KEY}', '{{ key }}', '<API_KEY>@checkout'].map(
    (key): (typeof mistakes)[number] => [[filled('a placeholder')], 'GET /v1/apps', bearer(key)],
  ),
  [['invalid-header: Idempotency-Key is empty: it is ignored.'], 'POST /v1/apps', withKey('')],
  [
    ['unknown-query: "api_key" is not a query parameter of this operation.'],
    'GET /v1/account?api_key=',
  ],
  [['unknown-query: "id" is not a query parameter of this operation.'], `GET ${chats}?id=5`],
  [
    ['unknown-field: "user" is not a field of this request.'],
    'POST /v1/apps',
    { body: { name: 'a', user } },
  ],
  [
    ['unknown-query: "user" is not a query parameter of this operation. Did you mean "user_id"?'],
    `GET ${chats}?user=${user}`,
  ],
  [
    [
      `wrong-id: user holds the id "${user}": send it as "user_id".`,
      'invalid-body: user must be an object or null.',
    ],
    `POST ${chats}`,
    { body: { user } },
  ],
  [
    [
      `wrong-id: user holds the id "${user}": send it as "user_id".`,
      'unknown-field: "user.id" is not a field of this request.',
      'invalid-body: user.email is required.',
    ],
    `POST ${chats}`,
    { body: { user: { id: user } } },
  ],
  [
    ['invalid-body: user_id and user must not be sent together: send one of them.'],
    `POST ${chats}`,
    { body: { user_id: user, user: email } },
  ],
  [
    ['invalid-query: from has a "+" that is not escaped: send %2B.'],
    `GET ${chats}?from=2026-01-01T00:00:00+02:00`,
  ],
  [
    ['invalid-query: to has a "+" that is not escaped: send %2B.'],
    `GET /v1/apps/${app}/usage?to=2026-03-01T00:00%2002:00`,
  ],
  [
    ['invalid-query: from must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.'],
    `GET ${chats}?from=soon+02:00`,
  ],
]

/** Requests that look like one of these mistakes and are none. */
const sound: [asked: string, options?: CallOptions][] = [
  [`GET ${chats}?user_id=${user}`],
  [`GET ${chats}?user_id=usr_undefined`],
  [`GET ${chats}?user_id=nullable`],
  [`GET ${chats}?user_id=appx`],
  ['GET /plants?limit=2147483647'],
  [`GET ${chats}?user_id=usr_%7Bx%7D`],
  [`GET ${chats}?user_id=%7Bx%7D1`],
  ['GET /plants', { headers: { 'content-encoding': 'zip' } }],
  [`POST /v1/webhooks/${hook}/test`, { body: {} }],
  [`GET ${chats}?from=2026-01-01T00:00:00%2B02:00&to=2026-01-02T00:00:00Z`],
  [`GET ${chats}?from=2026-01-01T00:00:00-02:00`],
  ['GET /plants', bearer('undefined-key')],
  ['GET /plants', bearer('key_null')],
  ['GET /plants', bearer('<key')],
  ['POST /v1/apps', withKey('order-17')],
  ['POST /v1/apps', { body: { name: 'undefined' } }],
  ['POST /v1/apps', { body: { name: 'null', description: '{user_id}' } }],
  [`POST ${chats}`, { body: { user: email } }],
  [`POST ${chats}`, { body: { user_id: user } }],
  [`POST ${chats}`, { body: { user: null, user_id: user } }],
  [`POST ${chats}`, { body: { user: email, user_id: null } }],
  [`POST ${chats}`, { body: { user: { email: 'usr_1@example.com' } } }],
  // Plants have no Idempotency-Key: it is no more than an unknown header.
  ['POST /plants', { body: { id: 5000, name: 'Ficus' }, headers: { 'idempotency-key': '' } }],
]

testApi(
  'an unfilled or unescaped template is found, and reported once',
  async ({ call, world }) => {
    const told: unknown[] = []
    for (const [, asked, options] of mistakes) {
      await call(...toRequest(asked), options)
      const { violations = [] } = world.journal.calls().at(-1)!
      told.push([violations.map(({ rule, message }) => `${rule}: ${message}`), asked])
    }
    expect(told).toEqual(mistakes.map(([said, asked]) => [said, asked]))
  },
)

testApi('a sound request that looks like one of them is not accused', async ({ call, world }) => {
  for (const [asked, options] of sound) await call(...toRequest(asked), options)
  expect(world.journal.violations()).toEqual([])
})

testApi('a body without a Content-Type is a mistake', async ({ send, world }) => {
  const body = new TextEncoder().encode(JSON.stringify(plant))
  await send('/plants', { method: 'POST', headers: { authorization: 'Bearer key_pro' }, body })
  expect(world.journal.violations().map(({ message }) => message)).toEqual([
    'The Content-Type is missing: it must be application/json.',
  ])
})

test('a key in a URL is a mistake from four characters on: a shorter one is in many texts', async () => {
  const { call, world } = open()
  for (const secret of ['abc', 'abcd'])
    await world.records.keys.create({ secret, account: 'acct_pro' })
  for (const cursor of ['abc', 'abcd']) await call('GET', `/v1/apps?cursor=${cursor}`)
  expect(world.journal.violations().map(({ entry, rule }) => `${entry} ${rule}`)).toEqual([
    '2 key-in-url',
  ])
})

test('a key that a world has is no placeholder, whatever it looks like', async () => {
  const { call, world } = open()
  for (const secret of ['undefined', '<API_KEY>', '<k>']) {
    await world.records.keys.create({ secret, account: 'acct_pro' })
    expect((await call('GET', '/plants', { key: secret })).status).toBe(200)
  }
  expect(world.journal.violations()).toEqual([])
})

/** What is said of a GET of plants with a header. */
async function saidOf(headers: Record<string, string>, key: string | null = 'key_pro') {
  const { world, call } = open()
  await call('GET', '/plants', { key, headers })
  return world.journal.violations().map(({ message }) => message)
}

test.each([
  ['authorisation', 'Authorization'],
  ['content-typ', 'Content-Type'],
  ['content_type_x', 'Content-Type'],
  ['content-encodin', 'Content-Encoding'],
  ['acept', 'Accept'],
  ['x-accept', 'Accept'],
  ['x_acept', 'Accept'],
  ['idempotency_key', 'Idempotency-Key'],
  ['x-idempotency-key', 'Idempotency-Key'],
  ['idempotenc-kei', 'Idempotency-Key'],
  ['x-greenhouse-wrld', 'X-Greenhouse-World'],
  ['x-greenhouse-scenaro', 'X-Greenhouse-Scenario'],
  ['x-request-idd', 'X-Request-Id'],
  ['x-ratelimi', 'X-RateLimit'],
  ['x-ratelimit-limi', 'X-RateLimit-Limit'],
  ['x-ratelimit-remainin', 'X-RateLimit-Remaining'],
  ['x-ratelimit-rese', 'X-RateLimit-Reset'],
])('the header %s is taken for %s', async (name, meant) => {
  expect(await saidOf({ [name]: 'x' })).toEqual([
    `The API does not read the header ${name}. Did you mean "${meant}"?`,
  ])
})

test.each(['acpt', 'accepted', 'idempotenc-ki', 'x-trace', 'user-agent', 'x'.repeat(101)])(
  'the header %s is no slip',
  async (name) => {
    expect(await saidOf({ [name]: 'x' })).toEqual([])
  },
)

test.each(['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token'])(
  'a key in the header %s is none',
  async (name) => {
    expect(await saidOf({ [name]: 'x' }, null)).toEqual([
      `There is no Authorization header, and the API does not read ${name}. Send "Authorization: Bearer <API_KEY>".`,
    ])
  },
)

test.each([
  ['', true],
  [' ', true],
  ['*/*', true],
  ['application/*', true],
  ['APPLICATION/JSON', true],
  ['application/json;version=2', true],
  ['text/html , application/json ; q=0.1', true],
  ['*/*;q=0, application/json', true],
  ['application/json, */*;q=0', true],
  ['application/*;q=0, application/json', true],
  ['application/json;q=0, application/json', true],
  ['application/json, application/json;q=0', true],
  ['text/*', false],
  ['application/xml', false],
  ['*/*;q=0', false],
  ['*/*;q=0.0', false],
  ['application/*;q=0, */*', false],
  ['*/*, application/*;q=0', false],
  ['application/json;v=1;q=0, application/*', false],
  ['json', false],
])('Accept: %s takes JSON: %s', async (accept, isTaken) => {
  const said = `Accept is ${JSON.stringify(accept)}, which excludes the reply: application/json.`
  expect(await saidOf({ accept })).toEqual(isTaken ? [] : [said])
})
