import { expect } from 'vitest'
import { version } from '../../package.json'
import { testControl } from '../support/control.ts'

testControl(
  'GET /start tells where things are, and the keys that may be shown',
  async ({ control, server, greenhouse }) => {
    greenhouse.world().use('slow', { ms: 5 })
    const { body: made } = await control('POST', '/worlds/default/keys', { account: 'acct_pro' })
    const { body, text } = await control('GET', '/start')
    expect(body).toMatchObject({
      version,
      plants_url: server.url,
      apps_url: `${server.url}/v1`,
      panel_url: `${server.url}/__greenhouse/`,
      keys: {
        key_pro: { plan: 'pro', account: 'acct_pro' },
        key_revoked: { note: 'revoked' },
      },
      scenarios: ['slow'],
    })
    expect(text).not.toContain(made.secret)
    expect((await control('GET', '/start?x=1')).status).toBe(400)
  },
)

testControl(
  'a key of the fixtures that could be a real one is not shown',
  {
    fixtures: {
      accounts: [{ id: 'acct_own', plan: 'free', name: 'Own', email: 'own@example.com' }],
      keys: [
        { secret: 'key_own', account: 'acct_own' },
        { secret: 'sk_live_4f9Abcdefghijklmnop', account: 'acct_own' },
        { secret: 'a'.repeat(41), account: 'acct_own' },
      ],
    } as never,
  },
  async ({ control }) => {
    expect((await control('GET', '/start')).body.keys).toEqual({ key_own: { plan: 'free', account: 'acct_own' } })
  },
)
