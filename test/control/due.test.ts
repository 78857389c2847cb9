import { expect, test } from 'vitest'
import { loginApp } from '../conversations/chat.ts'
import { open, start } from '../support/test-api.ts'
import { testControl, expectInvalid, type Controlled } from '../support/control.ts'

const frozen = { frozen: true }

const path = '/worlds/default/due'
type Due = { at: string; kind: string; title: string; subject?: { collection: string; id: string } }

/** Returns what is due, all of it or of a kind. */
async function dueOf({ control }: Pick<Controlled, 'control'>, kind?: string): Promise<Due[]> {
  const { data } = (await control('GET', `${path}?limit=1000`)).body as { data: Due[] }
  return kind === undefined ? data : data.filter((one) => one.kind === kind)
}

testControl(
  'due work is listed soonest first, each kind with its record',
  frozen,
  async ({ control, call, world }) => {
    await call('/v1/apps')
    await call('/v1/subscription', { method: 'DELETE' })
    await call(`/v1/apps/${loginApp}/deployments`, {
      method: 'POST',
      body: '{"domain":"chat.example.com"}',
    })
    await call('/v1/credits/purchases', {
      method: 'POST',
      body: JSON.stringify({ amount: 10, payment_method: 'pm_ok' }),
    })
    world.clock.schedule('2026-03-01T12:00:31Z', () => undefined)
    const data = await dueOf({ control })
    expect(data.map(({ at }) => at)).toEqual(data.map(({ at }) => at).toSorted())
    expect(new Set(data.map(({ kind }) => kind))).toEqual(
      new Set([
        'scheduled',
        'settlement',
        'quota',
        'delivery',
        'certificate',
        'dns-timeout',
        'renewal',
        'cancellation',
      ]),
    )
    for (const { kind, title, subject } of data) {
      expect([kind, title]).toEqual([kind, expect.stringMatching(/^\S.*[^.]$/)])
      if (subject) {
        const records = world.records[subject.collection as 'apps']
        expect([title, records.get(subject.id)]).toEqual([title, expect.anything()])
      }
    }
    const first = (kind: string) => data.find((one) => one.kind === kind)
    expect(data[0]).toEqual({
      at: '2026-03-01T12:00:31.000Z',
      kind: 'scheduled',
      title: 'Work scheduled in code',
    })
    expect(first('quota')).toEqual({
      at: '2026-03-01T12:01:00.000Z',
      kind: 'quota',
      title: 'The minute quota of acct_pro refills',
      subject: { collection: 'accounts', id: 'acct_pro' },
    })
    const ends = {
      title: 'The canceled subscription of acct_pro ends',
      at: '2026-03-21T12:00:30.000Z',
    }
    expect(first('cancellation')).toMatchObject(ends)
    expect(data.map(({ title }) => title)).toContain(
      'The wait for the DNS records of chat.example.com ends',
    )
    expect((await control('GET', `${path}?limit=2`)).body.data).toEqual(data.slice(0, 2))
    await expectInvalid(control('GET', `${path}?limit=x`))
  },
)

testControl(
  'the clock goes to what is due next, and says what it did',
  frozen,
  async ({ control, world }) => {
    world.assume('webhooks.retries', 'none')
    world.records.webhooks.replace([])
    world.records.deliveries.replace([])
    const kinds = new Map<string, number>()
    for (let step = 0; step < 40; step++) {
      const [next] = (await control('GET', `${path}?limit=1`)).body.data as Due[]
      const { clock, done } = (await control('POST', `${path}/next`)).body
      expect(done[0]).toEqual(next)
      expect(clock).toEqual({ now: next!.at, frozen: true })
      for (const { at, kind } of done as Due[]) {
        expect(at).toBe(next!.at)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
    const { purchases, deployments } = world.records
    expect(purchases.count({ status: 'pending' })).toBe(0)
    expect(
      deployments.find(({ state }) => state === 'pending_dns' || state === 'issuing_certificate'),
    ).toEqual([])
    expect([kinds.get('settlement'), kinds.get('certificate'), kinds.get('dns-timeout')]).toEqual([
      2, 1, 1,
    ])
  },
)

testControl('where nothing is due, nothing happens', frozen, async ({ control, world }) => {
  for (const records of Object.values(world.records)) records.replace([])
  const now = world.clock.now()
  const clock = { now: new Date(now).toISOString(), frozen: true }
  expect((await control('POST', `${path}/next`)).body).toEqual({ clock, done: [] })
  expect(world.clock.now()).toBe(now)
})

testControl(
  'what was changed, removed or taken back is not due any more',
  frozen,
  async ({ control, call, world }) => {
    const due = async (id: string) =>
      (await dueOf({ control })).filter(({ subject }) => subject?.id === id)
    const id = 'pur_b5xq2nfw7dzk4cmo'
    const records = '/worlds/default/records'
    expect(await due(id)).toHaveLength(1)
    await control('PATCH', `${records}/purchases/${id}`, { settles_at: 'in 3d' })
    expect((await due(id)).map(({ at }) => Date.parse(at) - world.clock.now())).toEqual([
      3 * 86_400_000,
    ])
    world.clock.advance('2d')
    expect(world.records.purchases.get(id)!.status).toBe('pending')
    world.clock.advance('1d')
    expect(world.records.purchases.get(id)!.status).toBe('succeeded')
    expect(await due(id)).toEqual([])
    expect(await due('dep_zqv7sgl6kj7hp4j2')).toEqual([])
    world.reset()
    expect(await due('dep_zqv7sgl6kj7hp4j2')).toHaveLength(1)
    await control('DELETE', `${records}/deployments/dep_zqv7sgl6kj7hp4j2`)
    expect(await due('dep_zqv7sgl6kj7hp4j2')).toEqual([])
    world.records.purchases.update(id, { status: 'failed' })
    expect(await due(id)).toEqual([])
    const subscription = async () =>
      (await due('acct_pro')).flatMap(({ kind }) => (kind === 'quota' ? [] : kind))
    await call('/v1/subscription', { method: 'DELETE' })
    expect(await subscription()).toEqual(['cancellation'])
    await call('/v1/subscription', { method: 'PUT', body: '{"plan":"pro"}' })
    expect(await subscription()).toEqual(['renewal'])
  },
)

testControl(
  'an unpaid subscription is due for a charge until it is paid',
  frozen,
  async ({ control, api, world }) => {
    const charges = () => dueOf({ control }, 'charge')
    const { period_end } = (await api('GET', '/v1/subscription')).body
    world.use('renewal-fails', { account: 'acct_pro' })
    world.clock.set(period_end)
    const title = 'The unpaid subscription of acct_pro is charged again, attempt 2'
    expect(await charges()).toMatchObject([{ title, at: '2026-03-24T12:00:30.000Z' }])
    await api('PUT', '/v1/subscription', { body: { plan: 'pro' } })
    expect(await charges()).toEqual([])
  },
)

testControl(
  'an event is due until it is on its way to webhooks',
  frozen,
  async ({ control, api, world }) => {
    for (const webhooks of ['1 webhook', '2 webhooks']) {
      world.clock.set(start)
      await api('POST', '/v1/webhooks', {
        body: { url: 'http://127.0.0.1:9/', events: ['credits.purchased'] },
      })
      await api('POST', '/v1/credits/purchases', { body: { amount: 10, payment_method: 'pm_ok' } })
      world.clock.schedule(Date.parse(start) + 3_000, () => world.snapshot('settled'))
      world.clock.advance('3s')
      world.restore('settled')
      world.clock.advance('-1s')
      const [event] = (await control('GET', path)).body.data as Due[]
      const title = `credits.purchased goes to ${webhooks}`
      expect(event).toEqual({ at: '2026-03-01T12:00:33.000Z', kind: 'event', title })
      world.clock.advance('1s')
    }
  },
)

testControl('the end of a delayed reply is due', frozen, async ({ control, call, world }) => {
  world.use({ title: 'Late', fault: [{ kind: 'delay', fixed: '1m' }] })
  const late = call('/plants')
  await expect
    .poll(() => dueOf({ control }, 'reply'))
    .toMatchObject([{ title: 'The delay of a reply ends' }])
  world.clock.advance('1m')
  expect((await late).status).toBe(200)
})

testControl('a snapshot brings back what was due', frozen, async ({ control, world }) => {
  const all = () => dueOf({ control })
  const before = await all()
  world.snapshot('a')
  world.records.webhooks.update('wh_bcjl342gumzojejh', { enabled: false })
  world.clock.advance('20h')
  expect(await all()).not.toEqual(before)
  world.restore('a')
  expect(await all()).toEqual(before)
})

testControl('what is put in the place of itself is due once', frozen, async ({ control }) => {
  const before = await dueOf({ control }, 'settlement')
  const { text } = await control('GET', '/worlds/default/records/purchases')
  for (let time = 0; time < 2; time++)
    await control('PUT', '/worlds/default/records/purchases', text)
  expect(await dueOf({ control }, 'settlement')).toEqual(before)
  expect(before).toHaveLength(2)
})

const purchase = {
  id: 'pur_1',
  account: 'acct_free',
  amount: 100,
  payment_method: 'pm_ok',
  status: 'pending',
} as const

test('a record that code adds or changes falls due as any other', async () => {
  const { world } = open()
  const now = world.clock.now()
  const { purchases, deployments } = world.records
  purchases.create({ ...purchase, created_at: now, settles_at: now + 1_000 })
  const issuing = {
    state: 'issuing_certificate',
    failure: undefined,
    certificate_at: now + 2_000,
  } as const
  deployments.update('dep_mk3bpda46ngetpuy', issuing)
  world.clock.advance('1s')
  expect(purchases.get('pur_1')!.status).toBe('succeeded')
  expect(deployments.get('dep_mk3bpda46ngetpuy')!.state).toBe('issuing_certificate')
  world.clock.advance('1s')
  expect(deployments.get('dep_mk3bpda46ngetpuy')!.state).toBe('live')
})

testControl('due work of one write stands among other work', frozen, async (controlled) => {
  const { world } = controlled
  const now = world.clock.now()
  world.clock.schedule(now + 2_000, () => undefined)
  world.records.purchases.replace(
    [1_000, 3_000].map((after) => ({
      ...purchase,
      id: `pur_${after}`,
      created_at: now,
      settles_at: now + after,
    })),
  )
  const kinds = (await dueOf(controlled)).map(({ kind }) => kind)
  expect(kinds.slice(0, 3)).toEqual(['settlement', 'scheduled', 'settlement'])
})

testControl('a record that a call adds falls due', frozen, async ({ control, world }) => {
  await control('POST', '/worlds/default/records/purchases', {
    ...purchase,
    created_at: '1m ago',
    settles_at: 'in 1h',
  })
  world.clock.advance('1h')
  expect(world.records.purchases.get('pur_1')!.status).toBe('succeeded')
})

testControl(
  'a canceled subscription ends, and an unpaid one is charged again',
  frozen,
  async ({ control, world }) => {
    const path = '/worlds/default/records/subscriptions'
    const now = world.clock.now()
    const day = 86_400_000
    const ending = { start: '29d ago', end: 'in 1d' }
    await control('PATCH', `${path}/acct_pro`, {
      status: 'canceling',
      ending,
      canceled_at: '1d ago',
    })
    await control('PATCH', `${path}/acct_lite`, {
      status: 'past_due',
      unpaid: { since: '1d ago', attempts: 1 },
    })
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
