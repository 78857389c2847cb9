import { expect } from 'vitest'
import { testControl, expectControlError, stateOf, expectInvalid } from '../support/control.ts'

const json = { 'content-type': 'application/json' }

testControl('refuses what is no JSON', async ({ control, greenhouse, server }) => {
  const before = stateOf(greenhouse)
  for (const text of [
    ['{', '{"active":[}', "{'active':[]}", '{"active":[],}', 'active', 'NaN', '\u0000'],
    ['['.repeat(101) + ']'.repeat(101), '['.repeat(50_000), `{"seed":${'9'.repeat(100_000)}}`],
  ].flat())
    await expectInvalid(control('PUT', '/worlds/default', text))
  const response = await fetch(`${server.url}/__greenhouse/worlds/default`, {
    method: 'PUT',
    headers: json,
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  })
  expectControlError(
    { status: response.status, body: await response.json() },
    400,
    'invalid_request',
    /UTF-8/,
  )
  expect(stateOf(greenhouse)).toEqual(before)
})

testControl(
  'a body that is too large is 413, with or without a length',
  async ({ control, greenhouse, server }) => {
    const before = stateOf(greenhouse)
    const text = JSON.stringify({ active: ['x'.repeat(2 ** 20)] })
    expectControlError(
      await control('PUT', '/worlds/default/scenarios', text),
      413,
      'payload_too_large',
    )
    const body = new Blob([text]).stream()
    const response = await fetch(`${server.url}/__greenhouse/worlds/default/scenarios`, {
      method: 'PUT',
      headers: json,
      body,
      duplex: 'half',
    } as RequestInit)
    expectControlError(
      { status: response.status, body: await response.json() },
      413,
      'payload_too_large',
    )
    expect(stateOf(greenhouse)).toEqual(before)
  },
)

testControl('refuses a body that is no JSON by its type', async ({ control }) => {
  const put = (type: string) =>
    control('PUT', '/worlds/default/scenarios', '{"active":[]}', { 'content-type': type })
  expectControlError(await put('text/plain'), 415, 'unsupported_media_type')
  expect((await put('Application/JSON; charset="UTF-8"')).status).toBe(200)
})

const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join()

const plants = (count: number) =>
  many(count, (index) => `{"id":${index},"name":"","account":"acct_pro"}`)
const slow = (count: number) => many(count, () => '"slow"')
const fields = many(1_001, (index) => `"k${index}":"1"`)

/** Bodies that are too many of something, each built when it is sent. */
const tooMany: [method: string, path: string, body: () => string, message: RegExp][] = [
  ...[101, 40_000].flatMap((count): typeof tooMany => [
    [
      'PUT',
      '/scenarios',
      () => `{"active":[${slow(count)}]}`,
      /^active: expected at most 100 scenarios$/,
    ],
    [
      'PUT',
      '',
      () => `{"scenarios":[${slow(count)}]}`,
      /^scenarios: expected at most 100 scenarios$/,
    ],
  ]),
  [
    'PUT',
    '/records/plants',
    () => `{"data":[${plants(5_001)}]}`,
    /^expected at most 5000 records in one call; load more from fixture files$/,
  ],
  ['PUT', '/records/plants', () => `[${plants(5_001)}]`, /at most 5000 records/],
  [
    'PUT',
    '',
    () => `{"records":{"plants":[${plants(5_000)}],"apps":[{}]}}`,
    /^records: expected at most 5000 records/,
  ],
  ['PATCH', '/assumptions', () => `{${fields}}`, /^The body has more than 1000 fields\.$/],
  ['PUT', '', () => `{"assumptions":{${fields}}}`, /^assumptions: expected at most 1000 fields$/],
  [
    'PUT',
    '',
    () => `{"records":{${fields.replaceAll('"1"', '[]')}}}`,
    /^records: expected at most 1000 fields$/,
  ],
]

testControl(
  'a call has at most 100 scenarios, 5,000 records and 1,000 fields',
  async ({ control, greenhouse }) => {
    for (const [method, path, body, message] of tooMany)
      await expectInvalid(control(method, `/worlds/b${path}`, body()), message)
    expect(greenhouse.hasWorld('b')).toBe(false)
    expect((await control('PUT', '/worlds/a/scenarios', `{"active":[${slow(100)}]}`)).status).toBe(
      200,
    )
    const { body } = await control('PUT', '/worlds/a/records/plants', `{"data":[${plants(5_000)}]}`)
    expect(body.data).toHaveLength(5_000)
  },
)

testControl(
  'an error repeats no more than the beginning of what was sent',
  async ({ control, call, greenhouse }) => {
    const long = 'x'.repeat(2 ** 20 - 1_000)
    const replies = await Promise.all([
      control('PUT', '/worlds/a/scenarios', { active: [long] }),
      control('PUT', '/worlds/a/scenarios', { active: [{ name: 'slow', [long]: 1 }] }),
      control('PUT', '/worlds/a/scenarios', { active: [{ name: 'malformed-plant', field: long }] }),
      control('PUT', '/worlds/a/scenarios', { active: [{ name: 'server-error', on: long }] }),
      control('PATCH', '/worlds/a/assumptions', { [long]: '1' }),
      control('PATCH', '/worlds/a/assumptions', { 'plants.delete.unknown': long }),
      control('PATCH', '/worlds/a/clock', { now: long }),
      control('PATCH', '/worlds/a/clock', { advance: long }),
      control('PATCH', '/worlds/a/clock', { [long]: 1 }),
      control('POST', '/worlds/a/keys', { account: long }),
      control('POST', '/worlds/a/events', { type: long }),
      control('PUT', '/worlds/a', { records: { [long]: [] } }),
      control('PUT', '/worlds/a/records/plants', [{ id: 1, name: 'x', account: long }]),
      control('PUT', '/worlds/a/records/keys', [
        { secret: long.slice(0, 500_000), account: 'acct_pro' },
        { secret: long.slice(0, 500_000), account: 'acct_pro' },
      ]),
      control('GET', `/worlds/default/journal?operation=${'x'.repeat(12_000)}`),
      control('PATCH', `/worlds/default/records/keys/${'x'.repeat(12_000)}`, {}),
    ])
    for (const [index, reply] of replies.entries()) {
      expect(reply.body.error.message.length, String(index)).toBeLessThan(1_100)
      expect([400, 404], String(index)).toContain(reply.status)
    }
    expect(replies[0]!.body.error.message).toBe(
      `Failed to use the scenario "… (${long.length} characters)": there is no such scenario. "npx greenhouse-mock scenario list --search WORDS" finds scenarios.`,
    )
    expect(
      [8_192, 8_193].map((length) => greenhouse.service.redact('x'.repeat(length)).at(-1)),
    ).toEqual(['x', '…'])
    const conversation = await call('/v1/apps/app_storefront/conversations', {
      method: 'POST',
      body: JSON.stringify({ user_id: long }),
    })
    expect((await conversation.text()).length).toBeLessThan(1_300)
  },
)

testControl('a query of thousands of parameters is looked through once', async ({ control }) => {
  const query = many(2_500, (index) => index.toString(36)).replaceAll(',', '&')
  await expectInvalid(
    control('GET', `/worlds/default/journal?${query}`),
    /^0: there is no such field; expected one of operation, .*, header\.NAME, query\.NAME, body\.NAME\.$/,
  )
  await expectInvalid(
    control('GET', `/worlds/default/journal?${query}&1`),
    /^The query parameter "1" is sent more than once\.$/,
  )
})

testControl(
  'keys that stand as fingerprints are found whatever their number',
  async ({ control }) => {
    const keys = many(5_000, (index) => `{"secret":"key_n${index}","account":"acct_pro"}`)
    const { body } = await control('PUT', '/worlds/a/records/keys', `[${keys}]`)
    expect((await control('PUT', '/worlds/a/records/keys', { data: body.data })).body).toEqual(body)
    expect(
      (
        await control('PATCH', `/worlds/a/records/keys/${body.data[4_999].secret}`, {
          revoked: true,
        })
      ).body.revoked,
    ).toBe(true)
  },
)

testControl('a parameter of a query has at most 1,000 characters', async ({ control }) => {
  for (const parameter of [
    '/scenarios?search',
    '/worlds/default/journal?search',
    '/worlds/default/journal?path',
    '/worlds/default/journal?body.name',
    '/worlds/default/records/plants?search',
    '/worlds/default/records/plants?where.name',
    '/worlds/default/deliveries?webhook',
  ]) {
    const name = parameter.split('?')[1]
    await expectInvalid(
      control('GET', `${parameter}=${'x'.repeat(1_001)}`),
      new RegExp(`^${name}: expected at most 1,000 characters$`),
    )
    if (!/path|webhook/.test(parameter))
      expect((await control('GET', `${parameter}=${'x'.repeat(1_000)}`)).status, name).toBe(200)
  }
  await expectInvalid(
    control('GET', `/worlds/default/case?title=${'x'.repeat(201)}`),
    /^title: expected at most 200 characters$/,
  )
})
