import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const hook = {
  account: 'acct_pro',
  url: 'http://127.0.0.1:9/hook',
  events: ['app.deleted' as const],
  enabled: true,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  created_at: 0,
  updated_at: 0,
}

testApi(
  'app.deleted reaches webhooks of the account, not of another app or the deleted one',
  async ({ call, world }) => {
    const app = 'app_w33c4cwmhfyfktiv'
    await world.records.webhooks.create({ ...hook, id: 'wh_app', app })
    await world.records.webhooks.create({ ...hook, id: 'wh_account', app: null })
    await world.records.webhooks.create({ ...hook, id: 'wh_other', app: 'app_wfr4wqydlhx43ree' })
    const { body } = await call('GET', `/v1/apps/${app}`)
    await call('DELETE', `/v1/apps/${app}`)
    await world.settled()
    expect(['wh_app', 'wh_account', 'wh_other'].filter((id) => world.records.webhooks.get(id))).toEqual([
      'wh_account',
      'wh_other',
    ])
    const told = world.records.deliveries
      .find(({ webhook }) => ['wh_app', 'wh_account', 'wh_other'].includes(webhook))
      .map(({ webhook, payload }) => [webhook, JSON.parse(payload)])
    expect(told).toEqual([['wh_account', { type: 'app.deleted', timestamp: start, data: body }]])
  },
)
