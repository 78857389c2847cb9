import { expect, test } from 'vitest'
import type { WebhookRequest } from '../../src/core/http/webhook-transport.ts'
import { createWithHooks } from '../../src/api/assembly/create.ts'
import type { AssumptionChoices, World } from '../../src/index.ts'
import { cases } from '../coverage/cases/index.ts'
import { toSent } from '../coverage/ways.ts'
import { soaks, times } from '../support/soak.ts'
import { createCaller, start, toInit, type Client } from '../support/test-api.ts'

/** The share of cases to check for each status. */
const oneIn = times(1, 28)

type Script = (call: Client['call'], world: World) => Promise<unknown>

/**
 * Runs a script and what falls due for forty days after it; gives what was answered and delivered,
 * and what was read.
 */
async function record(assumptions: AssumptionChoices, script: Script) {
  const consulted = new Set<string>()
  const greenhouse = createWithHooks(
    { now: start, assumptions },
    { onAssumptionRead: (id) => consulted.add(id) },
  )
  const world = greenhouse.world()
  world.clock.freeze()
  world.clock.set(start)
  const seen: unknown[] = []
  const send = async (path: string, init?: RequestInit) => {
    const response = await greenhouse.fetch(new Request('http://greenhouse.test' + path, init))
    const { status, headers } = response
    seen.push([path, status, [...headers], await response.clone().text()])
    return response
  }
  let tries = 0
  const leave = greenhouse.deliverThrough({
    send: async (request: WebhookRequest) => {
      seen.push(request)
      return { status: [200, 500, 410][tries++ % 3]!, body: '' }
    },
  })
  await script(createCaller(send), world).catch((error: unknown) => seen.push(String(error)))
  for (const time of ['1s', '10s', '2h', '3d', '37d']) {
    world.clock.advance(time)
    await world.settled()
    const { accounts, subscriptions, purchases, deployments, webhooks } = world.records
    for (const records of [accounts, subscriptions, purchases, deployments, webhooks])
      seen.push(JSON.stringify(records.all()))
  }
  leave()
  return { seen, consulted, greenhouse }
}

/** The n-th alternative of every assumption that was not read, all at once. */
function flipUnread(
  { consulted, greenhouse }: Awaited<ReturnType<typeof record>>,
  n: number,
): AssumptionChoices {
  return Object.fromEntries(
    greenhouse
      .assumptions()
      .filter(({ id, values }) => values.length > 1 && !consulted.has(id))
      .map(({ id, values }) => [id, values[1 + (n % (values.length - 1))]]),
  )
}

const scripts: Record<string, Script> = {}
const answers = Object.entries(cases).flatMap(([operation, ways]) =>
  Object.entries(ways).map(([status, asked]) => [`${operation} ${status}`, asked] as const),
)
for (const [answer, asked] of answers.filter((_, index) => index % times(1, 12) === 0))
  for (const [place, [what, ask]] of asked.entries())
    if (place % oneIn === 0)
      scripts[`${answer}, ${what}`] = async (call, world) => {
        const [method, path, options] = await toSent(ask, call, world)
        await call(method, path, { ...options })
      }
scripts['webhooks that are told, fail, and rotate their secret'] = async (call) => {
  const body = { url: 'http://127.0.0.1:9/hook', events: ['plant.created', 'app.created'] }
  const { body: webhook } = await call('POST', '/v1/webhooks', { body })
  await call('POST', '/plants', { body: { id: 4711, name: 'Ficus' } })
  await call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`)
  for (const name of ['one', 'two', 'three']) await call('POST', '/v1/apps', { body: { name } })
}
scripts['a renewal that is never paid'] = async (call, world) => {
  world.use('renewal-fails')
  await call('GET', '/v1/subscription')
}
scripts['a scenario that decides assumptions itself'] = async (call, world) => {
  world.use('strict-service')
  await call('GET', '/plants?colour=green')
  await call('POST', '/v1/apps', { body: { name: 'one', colour: 'green' } })
}

test('an assumption that a run never read changes no reply, delivery or record', async () => {
  const wrong: string[] = []
  for (const [name, script] of Object.entries(scripts)) {
    const baseline = await record({}, script)
    for (const n of soaks ? [0, 1, 2] : [0]) {
      const flipped = await record(flipUnread(baseline, n), script)
      if (JSON.stringify(flipped.seen) !== JSON.stringify(baseline.seen)) wrong.push(name)
    }
  }
  expect(wrong).toEqual([])
  expect(Object.keys(scripts).length).toBeGreaterThan(soaks ? 80 : 10)
})

test('reads outside of requests count: deliveries, retries, renewals', async () => {
  const { consulted: told } = await record(
    {},
    scripts['webhooks that are told, fail, and rotate their secret']!,
  )
  expect([...told]).toEqual(
    expect.arrayContaining([
      'webhooks.signature',
      'webhooks.timestamp',
      'webhooks.retries',
      'webhooks.timeout',
      'webhooks.rotation-overlap',
      'webhooks.gone',
    ]),
  )
  const { consulted: renewed } = await record({}, scripts['a renewal that is never paid']!)
  expect([...renewed]).toEqual(
    expect.arrayContaining(['payments.period', 'payments.renewal-retries', 'payments.unpaid']),
  )
})

test('reads in worlds that are made later count, and those after a reset', async () => {
  const consulted = new Set<string>()
  const greenhouse = createWithHooks({}, { onAssumptionRead: (id) => consulted.add(id) })
  const call = createCaller((path, init) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init)),
  )
  const ask = () => call('GET', '/~checkout/plants')
  await ask()
  expect([...consulted]).toContain('plants.list.order')
  consulted.clear()
  greenhouse.world('checkout').reset()
  await ask()
  expect([...consulted]).toContain('plants.list.order')
})

test('setting an assumption is no read, showing all reads all others', async () => {
  const consulted = new Set<string>()
  const greenhouse = createWithHooks({}, { onAssumptionRead: (id) => consulted.add(id) })
  const world = greenhouse.world()
  world.assume('plants.list.order', 'newest')
  await greenhouse.fetch(new Request('http://greenhouse.test/plants?limit=0', toInit('GET')))
  expect([...consulted]).toContain('plants.list.limit-zero')
  expect([...consulted]).not.toContain('plants.list.order')
  consulted.clear()
  expect(world.assumptions['plants.list.order']).toBe('newest')
  expect(consulted.size).toBe(greenhouse.assumptions().length - 1)
})
