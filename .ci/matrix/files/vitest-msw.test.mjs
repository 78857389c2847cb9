import { createGreenhouse } from 'greenhouse-mock'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { createHandlers } from 'greenhouse-mock/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, bases, expected } from './client.mjs'

expect.extend(greenhouseMatchers)
const greenhouse = createGreenhouse()
const server = setupServer(...createHandlers(greenhouse, bases))
beforeAll(() => server.listen())
afterAll(() => server.close())

test('MSW answers', async () => {
  expect(await ask(bases.plants, bases.apps)).toEqual(expected)
  expect(greenhouse.world()).toHaveNoViolations()
})
