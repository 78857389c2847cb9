import { z } from 'zod'
import { expect, test } from 'vitest'
import { DataError, createGreenhouse } from 'greenhouse-mock'
import { toReason } from '../../src/core/contract/errors.ts'
import { openApp } from '../conversations/chat.ts'
import { open, testApi } from '../support/test-api.ts'

const app = `/v1/apps/${openApp}`

const wholeAmount = 'amount must be an integer from 1 to 1000000.'

/** Messages for invalid bodies. */
const told: [asked: string, body: unknown, message: string][] = [
  ['POST /v1/apps', {}, 'name is required.'],
  ['POST /v1/apps', { name: '' }, 'name must not be empty.'],
  [
    'POST /v1/apps',
    { name: 7, model: [], login_required: 'yes' },
    'name must be a string. model must be a string or null. login_required must be true or false.',
  ],
  ['POST /v1/credits/purchases', {}, 'amount is required. payment_method is required.'],
  [
    'POST /v1/credits/purchases',
    { amount: 0, payment_method: 'pm_okay' },
    'amount must be an integer from 1 to 1000000. payment_method must be one of "pm_ok", "pm_declined", "pm_fails_later". Did you mean "pm_ok"?',
  ],
  ['POST /v1/credits/purchases', { amount: 1.5, payment_method: 'pm_ok' }, wholeAmount],
  ['POST /v1/credits/purchases', { amount: '5', payment_method: 'pm_ok' }, wholeAmount],
  [
    'POST /v1/webhooks',
    { url: 'ftp://example.com', events: 'all' },
    'url must be an http or https URL without a user name and password. events must be an array.',
  ],
  ['POST /v1/webhooks', { url: 'https://example.com', events: [] }, 'events must not be empty.'],
  [
    `POST ${app}/conversations`,
    { user: { email: 'nobody' } },
    'user.email must be an email address.',
  ],
  [`POST ${app}/conversations`, { user: {} }, 'user.email is required.'],
  [`POST ${app}/conversations`, { user: 'ada' }, 'user must be an object or null.'],
  [`POST ${app}/conversations`, { user_id: '' }, 'user_id must not be empty.'],
  [
    `POST ${app}/conversations`,
    { user_id: 'usr_x', user: { email: 'a@example.com' } },
    'user_id and user must not be sent together: send one of them.',
  ],
  [
    `POST ${app}/conversations`,
    { user_id: 'usr_x' },
    'user_id must be the id of a user of the app, and "usr_x" is not.',
  ],
  [
    `POST ${app}/deployments`,
    { domain: 'chat', branding: { primary_color: 'green', logo_url: 'logo.png' } },
    'domain must be a hostname such as "chat.example.com"; write letters other than a-z in Punycode (xn--…). branding.logo_url must be a URL that begins with http:// or https://. branding.primary_color must be "#" and six hexadecimal digits, such as "#2e7d32".',
  ],
  [
    'PUT /v1/subscription',
    { plan: 'Pro' },
    'plan must be one of "free", "lite", "pro", "pro_plus". Did you mean "pro"?',
  ],
]

testApi(
  'an invalid body gets a sentence for everything that is wrong with it',
  async ({ call }) => {
    for (const [asked, body, message] of told) {
      const [method, path] = asked.split(' ') as [string, string]
      const answer = await call(method, path, { body })
      expect([answer.status, answer.body.error.message], JSON.stringify(body)).toEqual([
        400,
        message,
      ])
    }
  },
)

testApi(
  'an event type that there is not is named by its place, and the nearest one is suggested',
  async ({ call }) => {
    const { body } = await call('POST', '/v1/webhooks', {
      body: { url: 'https://example.com', events: ['app.created', 'app.crated'] },
    })
    expect(body.error.message).toMatch(
      /^events\[1\] must be one of "plant.created", .*"webhook.test"\. Did you mean "app.created"\?$/,
    )
  },
)

testApi(
  'an invalid plant gets a sentence for everything that is wrong with it',
  async ({ call }) => {
    const tell = async (body: unknown) => (await call('POST', '/plants', { body })).body
    expect(await tell({})).toEqual({ error: 400, message: 'name is required. id is required.' })
    expect(await tell({ id: 'one', name: null, tag: 5 })).toEqual({
      error: 400,
      message: 'name must be a string. tag must be a string. id must be an integer of 64 bits.',
    })
    const large = await tell('{"id":9223372036854775808,"name":"x"}')
    expect(large).toEqual({ error: 400, message: 'id must be an integer of 64 bits.' })
  },
)

testApi(
  'problems of query parameters are reported together, with their values',
  async ({ call }) => {
    const { body } = await call(
      'GET',
      `${app}/conversations?status=Active&limit=0&order=newest&from=yesterday&user_id=`,
    )
    expect(body.error.message).toBe(
      'limit must be an integer from 1 to 100. order must be one of "desc", "asc". status must be one of "active", "ended". Did you mean "active"? user_id must not be empty. from must be a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.',
    )
  },
)

testApi('a long list of problems is cut, with the number of those left out', async ({ call }) => {
  const { status, body } = await call('POST', '/v1/webhooks', {
    body: { url: 'x', events: Array.from({ length: 30_000 }, () => 5) },
  })
  expect(status).toBe(400)
  expect(body.error.message.length).toBeLessThanOrEqual(1_100)
  expect(body.error.message).toMatch(/^url must be .*There are 2999\d more problems\.$/)
  const one = await call('POST', '/v1/webhooks', {
    body: { url: 'x', events: Array.from({ length: 3 }, () => 5) },
  })
  expect(one.body.error.message).toMatch(/There is 1 more problem\.$/)
})

test('zod in the same process changes no sentence about a body, a record or a fixture', async () => {
  // The first schema sets its own messages for every copy of zod in the process.
  z.object({})
  const { call } = open()
  expect((await call('POST', '/v1/apps', { body: { name: '' } })).body.error.message).toBe(
    'name must not be empty.',
  )
  expect((await call('POST', '/plants', { body: { id: 'x', name: 7 } })).body.message).not.toMatch(
    /Invalid input|expected/,
  )
  const { plants } = createGreenhouse().world().records
  expect(() => plants.create({ id: 1, name: 7, account: 'acct_pro' } as never)).toThrow(
    '"plants": name must be a string.',
  )
  expect(() =>
    createGreenhouse({ fixtures: { plants: [{ id: 1, name: true, account: 'acct_pro' }] } }),
  ).toThrow("plants.0.name: expected a string, received true. Put it in quotes: 'true'.")
})

test('the reason for anything thrown is its message or its text, and never fails', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const noText = 'a value that cannot be converted to a string'
  const reasons: [thrown: unknown, reason: string][] = [
    [new Error('it broke'), 'it broke'],
    [new TypeError(''), 'TypeError'],
    [Object.assign(new Error('x'), { message: 5 }), '5'],
    ['a text', 'a text'],
    ['', ''],
    [{ message: 'of no error' }, '[object Object]'],
    [7, '7'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Object.create(null), noText],
    [proxy, noText],
    [
      Object.defineProperty(new Error('x'), 'message', {
        get: () => Object.create(null) as string,
      }),
      noText,
    ],
  ]
  for (const [thrown, reason] of reasons) expect(toReason(thrown)).toBe(reason)
})

test('only what a mistake in data throws is a DataError; any other value can be asked', () => {
  const values = [
    undefined,
    null,
    'text',
    5,
    5n,
    true,
    Symbol('s'),
    {},
    [],
    () => undefined,
    new Error('x'),
  ]
  for (const value of values)
    expect((value as unknown) instanceof DataError, String(value)).toBe(false)
  expect(() => createGreenhouse({ fixtures: { plants: [{ id: 'one' }] } as never })).toThrow(
    DataError,
  )
})
