import { jest } from '@jest/globals'
import { createGreenhouse } from 'greenhouse-mock'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { serve } from 'greenhouse-mock/server'
import { createWithWorld } from 'greenhouse-mock/testing'
import { ask, bases, expected } from './client.mjs'

jest.setTimeout(60_000)
expect.extend(greenhouseMatchers)
const withWorld = createWithWorld(bases)

test(
  'MSW answers',
  withWorld(async ({ api, world }) => {
    const headers = { Authorization: `Bearer ${api.key('key_pro')}` }
    expect(await ask(bases.plants, bases.apps, headers)).toEqual(expected)
    expect(world).toHaveNoViolations()
  }),
)

test('a server answers', async () => {
  const server = await serve(createGreenhouse())
  expect(await ask(server.url, `${server.url}/v1`)).toEqual(expected)
  await server.close()
})
