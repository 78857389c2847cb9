import { expect } from 'vitest'
import { testControl, expectControlError, stateOf } from '../support/control.ts'

const json = { 'content-type': 'application/json' }

testControl('refuses what is no JSON', async ({ control, greenhouse, server }) => {
  const before = stateOf(greenhouse)
  for (const text of [
    '{',
    '{"active":[}',
    "{'active':[]}",
    '{"active":[],}',
    'active',
    'NaN',
    '\u0000',
    '['.repeat(101) + ']'.repeat(101),
    '['.repeat(50_000),
    `{"seed":${'9'.repeat(100_000)}}`,
  ])
    expectControlError(await control('PUT', '/worlds/default', text), 400, 'invalid_request')
  const response = await fetch(`${server.url}/__greenhouse/worlds/default`, {
    method: 'PUT',
    headers: json,
    body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  })
  expectControlError({ status: response.status, body: await response.json() }, 400, 'invalid_request', /UTF-8/)
  expect(stateOf(greenhouse)).toEqual(before)
})

testControl(
  'refuses a body that is too large, with and without its length',
  async ({ control, greenhouse, server }) => {
    const before = stateOf(greenhouse)
    const text = JSON.stringify({ active: ['x'.repeat(2 ** 20)] })
    expectControlError(await control('PUT', '/worlds/default/scenarios', text), 413, 'payload_too_large')
    const body = new Blob([text]).stream()
    const response = await fetch(`${server.url}/__greenhouse/worlds/default/scenarios`, {
      method: 'PUT',
      headers: json,
      body,
      duplex: 'half',
    } as RequestInit)
    expectControlError({ status: response.status, body: await response.json() }, 413, 'payload_too_large')
    expect(stateOf(greenhouse)).toEqual(before)
  },
)

testControl('refuses a body that is no JSON by its type', async ({ control }) => {
  expectControlError(
    await control('PUT', '/worlds/default/scenarios', '{"active":[]}', { 'content-type': 'text/plain' }),
    415,
    'unsupported_media_type',
  )
  expect(
    (
      await control('PUT', '/worlds/default/scenarios', '{"active":[]}', {
        'content-type': 'Application/JSON; charset="UTF-8"',
      })
    ).status,
  ).toBe(200)
})
