import { afterAll, beforeAll } from 'vitest'
import { createTest } from 'greenhouse-mock/vitest'
import { ask, bases, server, strategy } from './team-server.ts'

beforeAll(() => server.listen(strategy('bypass')))
afterAll(() => server.close())

const test = createTest({ server, ...bases, strict: true })

test('passes: below both base URLs the team mocks something', async ({ expect }) => {
  expect((await ask(`${bases.plants}/hours`, '')).body).toEqual({ open: 9 })
  expect((await ask(`${bases.apps}/feature-flags`, '')).body).toEqual({ dark: true })
})

test('fails: nobody mocks it, and it stays here', async ({ api, expect }) => {
  expect((await ask(`${bases.plants}/ours`, api.key('key_pro'))).status).toBe(404)
})
