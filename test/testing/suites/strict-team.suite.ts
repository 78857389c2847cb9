import { createTest } from 'greenhouse-mock/vitest'
import { ask, bases, listen, server } from './team-server.ts'

listen('bypass')

const test = createTest({ server, ...bases, strict: true })

test('passes: below both base URLs the team mocks something', async ({ expect }) => {
  expect((await ask(`${bases.plants}/hours`, '')).body).toEqual({ open: 9 })
  expect((await ask(`${bases.apps}/feature-flags`, '')).body).toEqual({ dark: true })
})

test('fails: nobody mocks it, and it stays here', async ({ api, expect }) => {
  expect((await ask(`${bases.plants}/ours`, api.key('key_pro'))).status).toBe(404)
})
