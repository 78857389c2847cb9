import { expect, test } from 'vitest'
import { closedTransport } from '../../src/core/http/webhook-transport.ts'
import { type ViolationRule, violationRules } from '../../src/core/journal/violation.ts'
import { type CallOptions, testApi } from '../support/test-api.ts'

type Slip = [rule: ViolationRule, message: string, asked: `${string} ${string}`, options?: CallOptions]

const app = 'app_w33c4cwmhfyfktiv'
const hook = 'wh_m4t7qzc2xk5wr3nd'
const chat = `/v1/apps/${app}/conversations`
const plant = { id: 5000, name: 'Ficus' }

/** A slip and what is said of it: nothing else is. */
const slips: Slip[] = [
  ['unknown-path', 'There is no path /v1/acount. Did you mean GET /v1/account?', 'GET /v1/acount'],
  ['unknown-path', 'There is no path /v1/nothing/of/the/kind.', 'GET /v1/nothing/of/the/kind', { key: null }],
  ['unknown-method', 'The path /plants does not have the method PUT, only POST, GET.', 'PUT /plants', { body: plant }],
  ['missing-key', 'There is no API key. Send "Authorization: Bearer <API_KEY>".', 'GET /plants', { key: null }],
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
  ['percent-encoding', 'The percent-encoding of the query is not valid.', 'GET /v1/apps?cursor=%zz'],
  ['percent-encoding', 'The percent-encoding of the path is not valid.', 'GET /v1/apps/app_%E4'],
  ['wrong-id', `conversation_id is "${app}", which has the form of app_id: expected conv_….`, `GET ${chat}/${app}`],
  ['wrong-id', `user_id is "${app}", which has the form of app_id: expected usr_….`, `GET ${chat}?user_id=${app}`],
  [
    'wrong-id',
    `app_id is "${hook}", which has the form of webhook_id: expected app_….`,
    'POST /v1/webhooks',
    { body: { url: 'http://127.0.0.1:9/hook', app_id: hook } },
  ],
  ['wrong-id', 'app_id in the path is "undefined", which is not an id.', 'GET /v1/apps/undefined'],
  ['wrong-id', 'app_id in the path is "{app_id}", which is not an id.', 'DELETE /v1/apps/%7Bapp_id%7D'],
  [
    'wrong-id',
    'id in the path must be an integer from -9223372036854775808 to 9223372036854775807, not "Ficus".',
    'DELETE /plants/Ficus',
  ],
  ['wrong-id', 'id in the path must be an integer from', 'DELETE /plants/99999999999999999999'],
  ['unknown-query', '"limt" is not a query parameter of this operation. Did you mean "limit"?', 'GET /plants?limt=3'],
  ['unknown-query', '"verbose" is not a query parameter of this operation.', 'GET /v1/account?verbose=1'],
  [
    'repeated-query',
    'The query parameter "limit" is sent 2 times: only its first value counts.',
    'GET /v1/apps?limit=3&limit=4',
  ],
  ['invalid-query', 'limit must be an integer from 1 to 100.', 'GET /v1/apps?limit=1000'],
  ['invalid-query', 'limit must be an integer from 0 to 2147483647.', 'GET /plants?limit=-1'],
  ['invalid-query', 'order must be one of "desc", "asc". Did you mean "desc"?', 'GET /v1/apps?order=dsc'],
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
  ['missing-body', 'The body is missing: expected a JSON object.', 'POST /v1/apps'],
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
  ['unknown-field', '"colour" is not a field of this request.', 'POST /plants', { body: { ...plant, colour: 'red' } }],
  [
    'unknown-field',
    '"user.emial" is not a field of this request. Did you mean "user.email"?',
    `POST ${chat}`,
    { body: { user: { email: 'a@example.com', emial: 'a@example.com' } } },
  ],
  ['invalid-body', 'name is required.', 'POST /plants', { body: { id: 1 } }],
  ['invalid-body', 'The body is not valid JSON.', 'POST /plants', { body: '{' }],
  ['invalid-body', 'The body must be a JSON object.', 'POST /plants', { body: '[]' }],
  ['invalid-body', 'name must have at most 16384 characters.', 'POST /v1/apps', { body: { name: 'x'.repeat(16_385) } }],
]

testApi('each rule finds its slip, and nothing else is said of it', {}, async ({ greenhouse, world, call }) => {
  greenhouse.deliverThrough(closedTransport)
  const told: unknown[] = []
  for (const [, , asked, options] of slips) {
    const [method, path] = asked.split(' ') as [string, string]
    await call(method, path, options)
    told.push([asked, world.journal.calls().at(-1)!.violations])
  }
  expect(told).toEqual(
    slips.map(([rule, message, asked]) => [asked, [{ rule, message: expect.stringContaining(message) }]]),
  )
})

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
  testApi(`an Accept of "${accept}" ${breaks ? 'excludes' : 'takes'} JSON`, async ({ world, call }) => {
    await call('GET', '/plants', { headers: { accept } })
    expect(world.journal.calls()[0]!.violations?.map(({ rule }) => rule)).toEqual(breaks ? ['accept'] : undefined)
  })

testApi('of a misspelt header the nearest one is meant, the first of two', async ({ call, world }) => {
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
      { rule: 'misspelt-header', message: `The API does not read the header ${name}. Did you mean "${meant}"?` },
    ])
  }
})

testApi('a standard header is not taken for a misspelt one', async ({ call, world }) => {
  const names = 'accept-charset accept-language accept-ranges content-range x-requested-with range cache-control'.split(
    ' ',
  )
  await call('GET', '/plants', { headers: Object.fromEntries(names.map((name) => [name, 'x'])) })
  expect(world.journal.calls().at(-1)!.violations).toBeUndefined()
})
