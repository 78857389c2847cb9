import { expect, test } from 'vitest'
import { open, testApi, type CallOptions } from '../support/test-api.ts'

const app = 'app_w33c4cwmhfyfktiv'
const chats = `/v1/apps/${app}/conversations`
const user = 'usr_k2v7qpl5c4x3zt6m'
const email = { email: 'sam@example.com' }
const bearer = (key: string): CallOptions => ({ key: null, headers: { authorization: `Bearer ${key}` } })
const filled = (what: string) =>
  `missing-key: The header Authorization holds ${what} in place of a key. Send the key after "Bearer" and a space.`
const toRequest = (asked: string) => asked.split(' ') as [method: string, path: string]
const withKey = (key: string): CallOptions => ({ body: { name: 'a' }, headers: { 'idempotency-key': key } })

/** Mistakes with their only violations. */
const mistakes: [told: string[], asked: string, options?: CallOptions][] = [
  ...['undefined', 'null', 'NaN', '{user_id}', '%7Buser_id%7D', '${userId}', '<user_id>', ':user_id'].map(
    (id): (typeof mistakes)[number] => [
      [`wrong-id: user_id is "${decodeURIComponent(id)}", which is not an id.`],
      `GET ${chats}?user_id=${id}`,
    ],
  ),
  [['wrong-id: user_id is "undefined", which is not an id.'], `POST ${chats}`, { body: { user_id: 'undefined' } }],
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
  [['unknown-query: "id" is not a query parameter of this operation.'], `GET ${chats}?id=5`],
  [['unknown-field: "user" is not a field of this request.'], 'POST /v1/apps', { body: { name: 'a', user } }],
  [
    ['unknown-query: "user" is not a query parameter of this operation. Did you mean "user_id"?'],
    `GET ${chats}?user=${user}`,
  ],
  [
    [`wrong-id: user holds the id "${user}": send it as "user_id".`, 'invalid-body: user must be an object or null.'],
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
  [['invalid-query: from has a "+" that is not escaped: send %2B.'], `GET ${chats}?from=2026-01-01T00:00:00+02:00`],
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

testApi('what nobody filled in or escaped is found, and nothing else is said of it', async ({ call, world }) => {
  const told: unknown[] = []
  for (const [, asked, options] of mistakes) {
    await call(...toRequest(asked), options)
    const { violations = [] } = world.journal.calls().at(-1)!
    told.push([violations.map(({ rule, message }) => `${rule}: ${message}`), asked])
  }
  expect(told).toEqual(mistakes.map(([said, asked]) => [said, asked]))
})

testApi('a sound request that looks like one of them is not accused', async ({ call, world }) => {
  for (const [asked, options] of sound) await call(...toRequest(asked), options)
  expect(world.journal.violations()).toEqual([])
})

test('a key that a world has is no placeholder, whatever it looks like', async () => {
  const { call, world } = open()
  for (const secret of ['undefined', '<API_KEY>', '<k>']) {
    await world.records.keys.create({ secret, account: 'acct_pro' })
    expect((await call('GET', '/plants', { key: secret })).status).toBe(200)
  }
  expect(world.journal.violations()).toEqual([])
})
