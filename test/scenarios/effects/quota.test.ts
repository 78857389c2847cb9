import { expect } from 'vitest'
import { through } from '../../support/through.ts'
import { own } from './own.ts'

const twoLeft = { scenarios: own({ quota: [{ window: 'minute', remaining: 2 }] }) }

through(
  'quota counts each account by itself, and with a counter of its own',
  async ({ world, call }) => {
    world.use('own')
    const remaining = async (key: string) => (await call('GET', '/v1/apps', { key })).headers.get('x-ratelimit-remaining')
    expect([await remaining('key_pro'), await remaining('key_pro'), await remaining('key_free')]).toEqual(['1', '0', '1'])
    world.clear()
    expect(await remaining('key_pro')).toBe('299')
  },
  twoLeft,
)

through(
  'a snapshot takes along how much of the quota is left, and nothing that was spent later',
  async ({ world, call }) => {
    const status = async () => (await call('GET', '/v1/apps')).status
    world.use('own')
    expect(await status()).toBe(200)
    world.snapshot('one left')
    expect([await status(), await status()]).toEqual([200, 429])
    world.restore('one left')
    expect([await status(), await status()]).toEqual([200, 429])
  },
  twoLeft,
)

through(
  'named in a header, quota leaves every request the same',
  async ({ call }) => {
    for (let round = 0; round < 4; round++) {
      const { status, headers } = await call('GET', '/v1/apps', { headers: { 'x-greenhouse-scenario': 'own' } })
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '1'])
    }
  },
  twoLeft,
)
