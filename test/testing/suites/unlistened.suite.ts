import { afterAll } from 'vitest'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, bases, server } from './team-server.ts'

const test = createTest({ server, ...bases })

test('a server that does not listen does so while the tests run', async ({ api, expect }) => {
  expect((await ask(`${bases.apps}/apps`, api.key('key_pro'))).status).toBe(200)
  expect((await ask('https://weather.example.com/today', '')).body).toEqual({ sun: true })
})

test('its own handlers stay', async ({ expect }) => {
  expect((await ask('https://weather.example.com/today', '')).body).toEqual({ sun: true })
})

// Also where a team closes it nevertheless.
afterAll(() => server.close())
