import { afterEach, expect, vi } from 'vitest'
import { webhooks } from '../../src/areas/apps/webhooks/schemas.ts'
import { World } from '../../src/core/world.ts'
import { through } from '../support/through.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const hook = { account: 'acct_pro', url: 'http://127.0.0.1:9/hook', events: ['app.deleted' as const], enabled: true, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', created_at: 0, updated_at: 0 }

through('when a deletion is told, the webhooks of the app alone are gone and those of the account are there', async ({ call, world }) => {
  const app = 'app_w33c4cwmhfyfktiv'
  await world.records.webhooks.create({ ...hook, id: 'wh_app', app })
  await world.records.webhooks.create({ ...hook, id: 'wh_account', app: null })
  await world.records.webhooks.create({ ...hook, id: 'wh_other', app: 'app_wfr4wqydlhx43ree' })
  const { body } = await call('GET', `/v1/apps/${app}`)
  const told: unknown[] = []
  const emit = World.prototype.emit
  vi.spyOn(World.prototype, 'emit').mockImplementation(function (this: World, event) {
    const hooks = ['wh_app', 'wh_account', 'wh_other'].filter((id) => this.collection(webhooks).get(id))
    if (event.type === 'app.deleted') told.push({ app: event.app, data: event.data, hooks })
    emit.call(this, event)
  })
  await call('DELETE', `/v1/apps/${app}`)
  expect(told).toEqual([{ app, data: body, hooks: ['wh_account', 'wh_other'] }])
})
