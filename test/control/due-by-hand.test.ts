import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'
import { testControl } from '../support/control.ts'

const purchase = {
  id: 'pur_1',
  account: 'acct_free',
  amount: 100,
  payment_method: 'pm_ok' as const,
  status: 'pending' as const,
}

test('a record that code adds or changes falls due as any other', async () => {
  const world = createGreenhouse({ now: start }).world()
  world.clock.freeze()
  const now = world.clock.now()
  const { purchases, deployments } = world.records
  purchases.create({ ...purchase, created_at: now, settles_at: now + 1_000 })
  deployments.update('dep_mk3bpda46ngetpuy', {
    state: 'issuing_certificate',
    failure: undefined,
    certificate_at: now + 2_000,
  })
  world.clock.advance('1s')
  expect(purchases.get('pur_1')!.status).toBe('succeeded')
  expect(deployments.get('dep_mk3bpda46ngetpuy')!.state).toBe('issuing_certificate')
  world.clock.advance('1s')
  expect(deployments.get('dep_mk3bpda46ngetpuy')!.state).toBe('live')
})

testControl('a record that a call adds falls due', async ({ control, greenhouse }) => {
  const world = greenhouse.world()
  world.clock.freeze()
  await control('POST', '/worlds/default/records/purchases', { ...purchase, created_at: '1m ago', settles_at: 'in 1h' })
  world.clock.advance('1h')
  expect(world.records.purchases.get('pur_1')!.status).toBe('succeeded')
})

testControl(
  'a canceled subscription that is given ends with its period, and an unpaid one is charged again',
  async ({ control, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const path = '/worlds/default/records/subscriptions'
    const now = world.clock.now()
    const day = 86_400_000
    await control('PATCH', `${path}/acct_pro`, {
      status: 'canceling',
      ending: { start: '29d ago', end: 'in 1d' },
      canceled_at: '1d ago',
    })
    await control('PATCH', `${path}/acct_lite`, { status: 'past_due', unpaid: { since: '1d ago', attempts: 1 } })
    world.clock.advance('1d')
    expect(world.records.subscriptions.get('acct_pro')).toMatchObject({
      status: 'canceled',
      former_plan: 'pro',
      ending: { start: now - 29 * day, end: now + day },
    })
    expect(world.records.accounts.get('acct_pro')!.plan).toBe('free')
    expect(world.records.subscriptions.get('acct_lite')!.status).toBe('past_due')
    world.clock.advance('1d')
    expect(world.records.subscriptions.get('acct_lite')!.status).toBe('active')
  },
)

testControl(
  'a purchase that a request made settles when it is put off until',
  async ({ control, call, greenhouse }) => {
    const world = greenhouse.world()
    world.clock.freeze()
    const body = JSON.stringify({ amount: 10, payment_method: 'pm_ok' })
    const { id } = await (await call('/v1/credits/purchases', { method: 'POST', body })).json()
    await control('PATCH', `/worlds/default/records/purchases/${id}`, { settles_at: 'in 1h' })
    world.clock.advance('59m')
    expect(world.records.purchases.get(id)!.status).toBe('pending')
    world.clock.advance('1m')
    expect(world.records.purchases.get(id)!.status).toBe('succeeded')
  },
)
