import { expect, test } from 'vitest'
import { z } from 'zod'
import { createGreenhouse } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

test('zod in the same process does not change the sentences about a bad body', async () => {
  // The first schema sets its own messages for every copy of zod in the process.
  z.object({})
  const greenhouse = createGreenhouse()
  const call = createCaller((path, init) => greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)))
  expect((await call('POST', '/v1/apps', { body: { name: '' } })).body.error.message).toBe('name must not be empty.')
  expect((await call('POST', '/plants', { body: { id: 'x', name: 7 } })).body.message).not.toMatch(
    /Invalid input|expected/,
  )
})

test('zod in the same process does not change the sentences about records and fixtures', () => {
  z.object({})
  const { plants } = createGreenhouse().world().records
  expect(() => plants.create({ id: 1, name: 7, account: 'acct_pro' } as never)).toThrow(
    '"plants": name must be a string.',
  )
  expect(() => createGreenhouse({ fixtures: { plants: [{ id: 1, name: true, account: 'acct_pro' }] } })).toThrow(
    "plants.0.name: expected a string, received true. Put it in quotes: 'true'.",
  )
})
