import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { own } from './own.ts'

through(
  'account puts callers on another plan for the requests that it names',
  async ({ world, call }) => {
    world.use('own')
    const limit = async (path: string, key = 'key_pro') => (await call('GET', path, { key })).headers.get('x-ratelimit-limit')
    const [app] = world.records.apps.all().filter(({ account }) => account === 'acct_pro')
    expect([await limit('/v1/apps'), await limit(`/v1/apps/${app!.id}`), await limit('/v1/apps', 'key_lite')]).toEqual(['60', '300', '120'])
    expect(world.records.accounts.get('acct_pro')!.plan, 'what is stored stays').toBe('pro')
  },
  { scenarios: own({ account: [{ plan: 'free', on: 'apps.list', where: { plan: 'pro' } }] }) },
)
