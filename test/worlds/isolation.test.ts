import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { createRandom } from '../../src/core/time/random.ts'
import { soaks, times } from '../support/soak.ts'
import { type CallOptions, createCaller } from '../support/test-api.ts'

interface Setting {
  name: string
  now: string
  /** Whether plants are shown with their ids. */
  includesId: boolean
  /** Whether every deletion of a plant is a server error. */
  failsDeletes: boolean
  /** An account's remaining requests in a minute. */
  budget: number
}

const seed = Number(process.env['ISOLATION_SEED'] ?? 20_260_301)
const count = Number(process.env['ISOLATION_REQUESTS'] ?? times(5_000, 30))
const plan = 120

const accounts = Array.from({ length: 8 }, (_, index) => ({
  id: `acct_${index}`,
  name: `${index}`,
  email: `${index}@example.com`,
  plan: 'lite',
}))
const keys = accounts.map(({ id }, index) => ({ secret: `key_${index}`, account: id }))
const settings: Setting[] = Array.from({ length: 8 }, (_, index) => ({
  name: `world.${index}`,
  now: `20${30 + index}-01-01T00:00:00.000Z`,
  includesId: index % 4 === 1,
  failsDeletes: index % 4 === 2,
  budget: index % 4 === 3 ? 4 : plan,
}))

function create(worlds: readonly Setting[]): Greenhouse {
  const greenhouse = createGreenhouse({
    fixtures: { accounts, keys, plants: [], apps: [] },
    journal: { entries: count },
  })
  for (const { name, now, includesId, failsDeletes, budget } of worlds) {
    const world = greenhouse.world(name)
    world.clock.freeze()
    world.clock.set(now)
    if (includesId) world.assume('plants.body.includes-id', 'yes')
    if (failsDeletes) world.use('server-error', { on: 'plants.delete' })
    if (budget < plan) world.use('rate-limited-plan', { remaining: budget })
  }
  return greenhouse
}

/**
 * Sends the requests of one world, one after the other. The ids are the same in every world.
 * Returns the replies.
 */
async function live(
  greenhouse: Greenhouse,
  call: ReturnType<typeof createCaller>,
  { name }: Setting,
) {
  const random = createRandom(seed, name)
  const pick = (below: number) => Math.floor(random.next() * below)
  const apps = ['app_none']
  const replies: unknown[] = []
  const anApp = () => `/v1/apps/${apps.at(-1 - pick(Math.min(apps.length, 9)))}`
  const requests: (() => [method: string, path: string, options?: CallOptions])[] = [
    () => ['POST', '/plants', { body: { id: pick(12), name: `${name} ${pick(1_000)}` } }],
    () => ['DELETE', `/plants/${pick(12)}`],
    () => ['GET', `/plants?limit=${pick(10)}`],
    () => ['POST', '/v1/apps', { body: { name: `${name} ${pick(1_000)}` } }],
    () => [
      'POST',
      '/v1/apps',
      { body: { name: 'once' }, headers: { 'idempotency-key': `once-${pick(4)}` } },
    ],
    () => [
      'PATCH',
      anApp(),
      { body: { name: `changed ${pick(1_000)}`, login_required: pick(2) === 0 } },
    ],
    () => ['GET', anApp()],
    () => ['DELETE', anApp()],
    () => ['GET', '/v1/apps?limit=100'],
  ]
  for (let sent = 0; sent < count; sent++) {
    if (pick(50) === 0) greenhouse.world(name).clock.advance('1m')
    const [method, path, { body, headers } = {}] = requests[pick(requests.length)]!()
    const key = keys[pick(keys.length)]!.secret
    // Each of the three ways to name a world.
    const [prefix, suffix, named] = [
      [`/~${name}`, '', {}] as const,
      ['', '', { 'x-greenhouse-world': name }] as const,
      ['', `@${name}`, {}] as const,
    ][pick(3)]!
    const options = {
      key: key + suffix,
      headers: { ...headers, ...named },
      ...(body !== undefined && { body }),
    }
    const reply = await call(method, prefix + path, options)
    if (path === '/v1/apps' && reply.status === 201) apps.push(reply.body.id)
    const told = ['x-greenhouse', 'x-ratelimit-remaining'].map((header) =>
      reply.headers.get(header),
    )
    replies.push([method, path, reply.status, ...told, reply.text])
  }
  return replies
}

const entriesOf = (greenhouse: Greenhouse, name: string) =>
  greenhouse
    .world(name)
    .journal.calls()
    .map(({ id, at, world, operation, account, response }) => [
      id,
      at,
      world,
      operation,
      account,
      response.status,
    ])

test(`8 worlds, called ${count} times at once, answer like single worlds (seed ${seed})`, async () => {
  const together = create(settings)
  await using server = await serve(together)
  const call = createCaller((path, init) => fetch(server.url + path, init))
  const replies = await Promise.all(settings.map((setting) => live(together, call, setting)))
  for (const [index, setting] of settings.entries()) {
    const alone = create([setting])
    const callAlone = createCaller((path, init) =>
      alone.fetch(new Request(`http://greenhouse.test${path}`, init)),
    )
    expect(replies[index]).toEqual(await live(alone, callAlone, setting))
    expect(entriesOf(together, setting.name)).toEqual(entriesOf(alone, setting.name))
  }
  expect(new Set(replies.flat().map((reply) => (reply as [string, string, number])[2]))).toEqual(
    // At full size, accounts reach the cap of their apps.
    new Set([200, 201, 204, 400, ...(soaks ? [403] : []), 404, 429, 500]),
  )
  expect(together.world().journal.calls()).toEqual([])
})
