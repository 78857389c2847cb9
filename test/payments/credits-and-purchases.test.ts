import { expect } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { testControl } from '../support/control.ts'
import { type Client, start, testApi } from '../support/test-api.ts'

const path = '/v1/credits/purchases'
/** When what is bought at `start` settles. */
const settled_at = '2026-03-01T12:00:33.000Z'

const buy = ({ call }: Pick<Client, 'call'>, payment_method: string, amount = 250) =>
  call('POST', path, { body: { amount, payment_method } })

/** Returns the growth of the balance. */
const gained = async ({ call }: Pick<Client, 'call'>) =>
  (await call('GET', '/v1/credits')).body.balance - initial

const { purchased, spent } = createGreenhouse().world().records.credits.get('acct_pro')!
const initial = purchased - spent

testApi(
  'a purchase is pending, and adds its credits after three seconds of the clock',
  async (client) => {
    const { call, world } = client
    const { status, body } = await buy(client, 'pm_ok')
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^pur_[a-z2-7]{16}$/),
        amount: 250,
        payment_method: 'pm_ok',
        status: 'pending',
        created_at: start,
        settled_at: null,
      },
    })
    world.clock.advance('2999ms')
    expect((await call('GET', `${path}/${body.id}`)).body).toEqual(body)
    expect(await gained(client)).toBe(0)
    world.clock.advance(1)
    expect((await call('GET', `${path}/${body.id}`)).body).toEqual({
      ...body,
      status: 'succeeded',
      settled_at,
    })
    expect(await gained(client)).toBe(250)
    world.clock.advance('1d')
    expect(await gained(client)).toBe(250)
  },
)

testApi(
  'a method that fails later is pending as well, then fails and brings no credits',
  async (client) => {
    const { call, world } = client
    const { body } = await buy(client, 'pm_fails_later')
    expect(body.status).toBe('pending')
    world.clock.advance('1h')
    expect((await call('GET', `${path}/${body.id}`)).body).toEqual({
      ...body,
      status: 'failed',
      settled_at,
    })
    expect(await gained(client)).toBe(0)
  },
)

testApi('purchases that settle at once have done so in the reply', async (client) => {
  client.world.assume('payments.settle', 'instant')
  expect((await buy(client, 'pm_ok')).body).toMatchObject({
    status: 'succeeded',
    settled_at: start,
  })
  expect((await buy(client, 'pm_fails_later')).body).toMatchObject({
    status: 'failed',
    settled_at: start,
  })
  expect(await gained(client)).toBe(250)
})

testApi('purchases can take an hour, whatever is assumed later', async (client) => {
  const { call, world } = client
  world.assume('payments.settle', '1h')
  const { body } = await buy(client, 'pm_ok')
  world.assume('payments.settle', 'instant')
  world.clock.advance('59m')
  expect((await call('GET', `${path}/${body.id}`)).body.status).toBe('pending')
  world.clock.advance('1m')
  expect((await call('GET', `${path}/${body.id}`)).body.status).toBe('succeeded')
})

testApi('it settles though nobody asks', async (client) => {
  const { world } = client
  const { body } = await buy(client, 'pm_ok')
  world.clock.advance('3s')
  await world.settled()
  expect(world.records.purchases.get(body.id)!.status).toBe('succeeded')
  expect(world.records.credits.get('acct_pro')!.purchased).toBe(5_250)
})

testApi('a purchase that was settled by hand stays as it is', async (client) => {
  const { world } = client
  const { body } = await buy(client, 'pm_ok')
  await world.records.purchases.update(body.id, { status: 'failed' })
  world.clock.advance('3s')
  await world.settled()
  expect(world.records.purchases.get(body.id)!.status).toBe('failed')
  expect(await gained(client)).toBe(0)
})

testApi('the smallest and the largest purchase are possible', async (client) => {
  for (const amount of [1, 1_000_000]) expect((await buy(client, 'pm_ok', amount)).status).toBe(201)
  client.world.clock.advance('3s')
  expect(await gained(client)).toBe(1_000_001)
})

testApi(
  'purchases are listed newest first, in pages, and change in the list as they settle',
  async (client) => {
    const { call, world } = client
    const former = world.records.purchases
      .find(({ account }) => account === 'acct_pro')
      .map(({ id }) => id)
      .reverse()
    const { body: first } = await buy(client, 'pm_ok')
    const { body: second } = await buy(client, 'pm_fails_later')
    const page = await call('GET', `${path}?limit=2`)
    expect(page.body).toMatchObject({ data: [second, first], has_more: true })
    const rest = await call('GET', `${path}?cursor=${page.body.next_cursor}`)
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual(former)
    expect(rest.body.has_more).toBe(false)
    world.clock.advance('3s')
    const settled = await call('GET', `${path}?limit=2`)
    expect(settled.body.data.map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'succeeded',
    ])
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x'])
      expect((await call('GET', `${path}?${query}`)).status, query).toBe(400)
  },
)

type Due = { at: string; kind: string; title: string; subject?: { collection: string; id: string } }

testControl(
  'a purchase is due as long as it is pending, at the time that it settles',
  async (controlled) => {
    const { control, call, greenhouse } = controlled
    const world = greenhouse.world()
    world.clock.freeze()
    world.clock.set(start)
    const buy = async () => {
      const body = JSON.stringify({ amount: 10, payment_method: 'pm_ok' })
      return (await call('/v1/credits/purchases', { method: 'POST', body })).json() as Promise<{
        id: string
      }>
    }
    const dueOf = async (id: string) =>
      ((await control('GET', '/worlds/default/due?limit=1000')).body.data as Due[]).filter(
        ({ subject }) => subject?.id === id,
      )
    const [settles, changed, moved] = [await buy(), await buy(), await buy()]
    const due = (id: string) => [
      {
        at: settled_at,
        kind: 'settlement',
        title: `The purchase ${id} of 10 credits settles`,
        subject: { collection: 'purchases', id },
      },
    ]
    for (const { id } of [settles, changed, moved]) expect(await dueOf(id)).toEqual(due(id))
    world.records.purchases.update(changed.id, { status: 'failed' })
    world.records.purchases.update(moved.id, { settles_at: Date.parse(start) + 60_000 })
    expect(await dueOf(settles.id)).toEqual(due(settles.id))
    expect(await dueOf(changed.id)).toEqual([])
    expect((await dueOf(moved.id)).map(({ at }) => at)).not.toContain(settled_at)
    world.clock.advance('10s')
    expect(await dueOf(settles.id)).toEqual([])
  },
)

const headers = { 'idempotency-key': 'order-1' }
const body = { amount: 10, payment_method: 'pm_ok' }

testApi(
  'fifty identical purchases at once with one Idempotency-Key are one purchase',
  async ({ call, world }) => {
    const before = world.records.purchases.count()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', path, { body, headers })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(201)
    expect(world.records.purchases.count()).toBe(before + 1)
    world.clock.advance('1h')
    expect((await call('POST', path, { body, headers })).text, 'a replay after it settled').toBe(
      answers[0]!.text,
    )
    expect((await call('GET', '/v1/credits')).body.purchased).toBe(5_010)
  },
)
