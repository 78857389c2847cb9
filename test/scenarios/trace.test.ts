import { expect } from 'vitest'
import { through } from '../support/through.ts'

through('the X-Greenhouse header names the scenarios that are active', async ({ world, call }) => {
  expect((await call('GET', '/plants')).headers.get('x-greenhouse')).toBe('world=default; operation=plants.list')
  world.use('malformed-plant')
  expect((await call('GET', '/plants')).headers.get('x-greenhouse')).toBe('world=default; operation=plants.list; scenario=malformed-plant')
  const { headers } = await call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'rate-limited-plan:plan=pro' } })
  expect(headers.get('x-greenhouse')).toBe('world=default; operation=apps.list; scenario=malformed-plant,rate-limited-plan')
})

through('the journal names the scenarios that changed the reply', async ({ world, call }) => {
  world.use('malformed-plant')
  world.use('server-error', { on: 'apps.*' })
  await call('GET', '/plants')
  await call('GET', '/v1/apps')
  await call('DELETE', '/plants/101')
  expect(world.journal.calls().map(({ scenarios }) => scenarios)).toEqual([['malformed-plant'], ['server-error'], []])
})
