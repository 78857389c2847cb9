import { expect as playwrightExpect } from '@playwright/test'
import { expect, test } from 'vitest'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { expect as withMatchers } from 'greenhouse-mock/playwright'
import { open } from '../support/test-api.ts'

expect.extend(greenhouseMatchers)

async function ask(path: string, { call, world } = open()) {
  await call('GET', path)
  return world
}

test('its message shows what a request hides in the direction of text', async () => {
  const world = await ask('/v1/apps?a%E2%80%AEb=1')
  expect(() => expect(world).toHaveNoViolations()).toThrow(/^(?=[^]*unknown-query)[^\u202e]*$/)
})

test('it fails where one does, and names the request, the rule and what may have been meant', async () => {
  const world = await ask('/v1/apps?limt=3&api_key=key_free')
  expect(world).not.toHaveNoViolations()
  expect(() => expect(world).toHaveNoViolations()).toThrow(
    /^Expected no request to break the contract:\n\n {2}GET \/v1\/apps\?limt=3&api_key=fp_\w+ {2}apps\.list\n {4}key-in-url: .*\n.*\n {4}unknown-query: "limt" is not a query parameter of this operation\. Did you mean "limit"\?$/,
  )
})

test('rules and operations can be left out', async () => {
  const world = await ask('/v1/apps?limt=3')
  expect(world).toHaveNoViolations({ ignore: ['unknown-query'] })
  expect(world).toHaveNoViolations({ operation: 'apps.create' })
  expect(world).not.toHaveNoViolations({ ignore: ['missing-key'] })
})

test('of many violations the first 20 are shown', async () => {
  const client = open()
  for (let limit = 0; limit < 30; limit++) await ask(`/plants?limt=${limit}`, client)
  expect(() => expect(client.world).toHaveNoViolations()).toThrow(/… and 10 more$/)
})

test('a failure names each part in which the nearest request differs, and what was asked for', async () => {
  const { call, world } = open()
  await call('PATCH', '/v1/apps/app_1', { body: { settings: { colour: 'red' } } })
  const message = (expected: object) => {
    try {
      expect(world).toHaveReceived({ path: '/v1/apps/app_1', ...expected } as never)
    } catch (error) {
      return String(error)
    }
    return ''
  }
  expect(message({ method: 'POST' })).toMatch(/^ {4}method: expected POST, got PATCH$/m)
  expect(message({ status: 200 })).toMatch(/^ {4}status: expected 200, got 4\d\d$/m)
  expect(message({ account: 'acct_free' })).toMatch(/^ {4}account: expected acct_free, got acct_pro$/m)
  expect(message({ key: 'key_free' })).toMatch(/^ {4}key: expected "fp_\w+", got "fp_\w+"$/m)
  expect(message({ body: { settings: { colour: 'blue' } } })).toMatch(
    /^ {4}body\/settings\/colour: expected "blue", got "red"$/m,
  )
})

test('what is no world is an error, with .not too', () => {
  for (const wrong of [undefined, null, 3, {}, { journal: {} }]) {
    expect(() => expect(wrong).toHaveNoViolations()).toThrow('expect() takes a world or its journal')
    expect(() => expect(wrong).not.toHaveNoViolations()).toThrow('expect() takes a world or its journal')
  }
})

test.each<[whose: string, extended: (world: unknown) => any]>([
  ["Vitest's expect", expect],
  ['the expect of greenhouse-mock/playwright', withMatchers],
  ["Playwright's expect, extended with greenhouseMatchers,", playwrightExpect.extend(greenhouseMatchers)],
])('%s has toHaveNoViolations', async (_, extended) => {
  const clean = await ask('/v1/apps?limit=3')
  const broken = await ask('/v1/apps?limt=3::4')
  for (const received of [clean, clean.journal]) extended(received).toHaveNoViolations()
  extended(broken).not.toHaveNoViolations()
  extended(broken).toHaveNoViolations({ ignore: ['unknown-query'] })
  expect(() => extended(broken).toHaveNoViolations()).toThrow(
    'Expected no request to break the contract:\n\n  GET /v1/apps?limt=3::4  apps.list\n    unknown-query: "limt" is not a query parameter of this operation. Did you mean "limit"?',
  )
  expect(() => extended(clean).not.toHaveNoViolations()).toThrow(
    'Expected a request to break the contract, but none does.',
  )
})
