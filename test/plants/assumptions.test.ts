import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { type Client, testApi } from '../support/test-api.ts'
import { behaviour, createBehaviours, deleteBehaviours } from './assumptions/writes.ts'
import { listBehaviours } from './assumptions/list.ts'
import { expectRefusal, post } from './helpers.ts'

const rateLimitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

/** One refusal of every kind, by the number that stands for it. */
async function refusals({
  call,
  send,
}: Client): Promise<Record<string, { status: number; error: number }>> {
  const answers = {
    4000: await call('GET', '/plants?limit=ten'),
    4001: await call('POST', '/plants', { body: { id: 101, name: 'Ficus' } }),
    4010: await call('GET', '/plants', { key: null }),
    4011: await call('GET', '/plants', { key: 'nonsense' }),
    4030: await call('DELETE', '/plants/101', { key: 'key_readonly' }),
    4040: await call('DELETE', '/plants/1007'),
    4050: await call('PUT', '/plants'),
    4130: await call('POST', '/plants', { body: { id: 1007, name: 'x'.repeat(2 ** 20) } }),
    4150: await call('POST', '/plants', {
      body: { id: 1007, name: 'x' },
      headers: { 'content-encoding': 'gzip' },
    }),
    4151: await post(send, '{"id":1007,"name":"x"}', { 'content-type': 'text/plain' }),
    5000: await call('GET', '/plants', { headers: { 'x-greenhouse-scenario': 'server-error' } }),
  }
  for (const [number, answer] of Object.entries(answers))
    expectRefusal(answer, answer.status, number)
  return Object.fromEntries(
    Object.entries(answers).map(([number, { status, body }]) => [
      number,
      { status, error: body.error },
    ]),
  )
}

const statuses = {
  4000: 400,
  4001: 400,
  4010: 401,
  4011: 401,
  4030: 403,
  4040: 404,
  4050: 404,
  4130: 413,
  4150: 415,
  4151: 400,
  5000: 500,
}

function tooLargeIsRefused(status: number) {
  return behaviour(
    `plants.body.too-large=${status}`,
    `a body over the limit is a ${status}`,
    async ({ call }) => {
      expectRefusal(
        await call('POST', '/plants', { body: { id: 1007, name: 'x'.repeat(2 ** 20) } }),
        status,
      )
    },
  )
}

function encodingIsRefused(status: number) {
  return behaviour(
    `plants.body.encoding=${status}`,
    `a compressed body is a ${status}`,
    async ({ call }) => {
      const headers = { 'content-encoding': 'gzip' }
      expectRefusal(
        await call('POST', '/plants', { body: { id: 1007, name: 'x' }, headers }),
        status,
      )
    },
  )
}

function typeIsRefused(status: number) {
  return behaviour(
    `plants.body.type=${status}`,
    `a body that is not declared as JSON is a ${status}`,
    async ({ send }) => {
      expectRefusal(
        await post(send, '{"id":1007,"name":"x"}', { 'content-type': 'text/plain' }),
        status,
      )
      expectRefusal(await post(send, '{', undefined), 400)
    },
  )
}

function methodIsRefused(status: number) {
  return behaviour(
    `plants.unknown-method=${status}`,
    `a method that a path does not have is a ${status}`,
    async ({ call }) => {
      for (const [method, path] of [
        ['PUT', '/plants'],
        ['OPTIONS', '/plants'],
        ['GET', '/plants/101'],
        ['POST', '/plants/101'],
      ] as const)
        expectRefusal(await call(method, path), status, `${method} ${path}`)
      expectRefusal(await call('GET', '/plants/101/leaves'), 404)
      expect((await call('PUT', '/plants')).headers.get('allow')).toBe(
        status === 405 ? 'POST, GET' : null,
      )
    },
  )
}

const refusalBehaviours = [
  behaviour(
    'plants.error-code=status',
    'the integer of an error is the HTTP status',
    async (client) => {
      const expected = Object.entries(statuses).map(([number, status]) => [
        number,
        { status, error: status },
      ])
      expect(await refusals(client)).toEqual(Object.fromEntries(expected))
    },
  ),
  behaviour(
    'plants.error-code=numbered',
    'the integer of an error is the number of its kind',
    async (client) => {
      const expected = Object.entries(statuses).map(([number, status]) => [
        number,
        { status, error: Number(number) },
      ])
      expect(await refusals(client)).toEqual(Object.fromEntries(expected))
    },
  ),
  behaviour(
    'plants.rate-limits=off',
    'plants are not limited and tell of no limit',
    async ({ call }) => {
      for (let count = 1; count <= 61; count++) {
        const { status, headers } = await call('GET', '/plants?limit=1', { key: 'key_free' })
        expect(status, `request ${count}`).toBe(200)
        for (const name of rateLimitHeaders) expect(headers.has(name)).toBe(false)
      }
    },
  ),
  behaviour(
    'plants.rate-limits=on',
    "plants are limited by the caller's plan and every reply tells of it",
    async ({ call }) => {
      for (let count = 1; count <= 60; count++) {
        const { status, headers } = await call('GET', '/plants?limit=1', { key: 'key_free' })
        expect(status, `request ${count}`).toBe(200)
        const told = rateLimitHeaders.map((name) => headers.get(name))
        expect(told).toEqual(['60', String(60 - count), expect.stringMatching(/^\d+$/)])
      }
      const refused = await call('POST', '/plants', {
        key: 'key_free',
        body: { id: 1007, name: 'Ficus' },
      })
      expectRefusal(refused, 429)
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
      expect((await call('GET', '/v1/apps', { key: 'key_free' })).status).toBe(429)
      expect(
        (await call('GET', '/plants', { key: 'key_lite' })).headers.get('x-ratelimit-limit'),
      ).toBe('120')
      expect(
        (await call('GET', '/plants/101/leaves', { key: null })).headers.has('x-ratelimit-limit'),
      ).toBe(true)
    },
  ),
  methodIsRefused(404),
  methodIsRefused(405),
  tooLargeIsRefused(413),
  tooLargeIsRefused(400),
  encodingIsRefused(415),
  encodingIsRefused(400),
  typeIsRefused(400),
  typeIsRefused(415),
]

const behaviours = [
  ...listBehaviours,
  ...createBehaviours,
  ...deleteBehaviours,
  ...refusalBehaviours,
]
const proven: Record<string, string[]> = {}

for (const { id, value, sentence, prove } of behaviours) {
  const values = (proven[id] ??= [])
  if (values.length === 0) testApi(`${sentence}, by default`, {}, prove)
  values.push(value)
  testApi(`${sentence}, with ${id}=${value}`, { assumptions: { [id]: value } }, prove)
}

test('every value of every assumption about plants is proven here, the default first', () => {
  const known = createGreenhouse()
    .assumptions()
    .filter(({ id }) => id.startsWith('plants.') && id !== 'plants.webhook')
  expect(proven).toEqual(Object.fromEntries(known.map(({ id, values }) => [id, values])))
})
