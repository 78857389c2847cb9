import { expect, test } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { createGreenhouse } from 'greenhouse-mock'
import { times } from '../support/soak.ts'
import { ModelClient, planBudget, type Setting } from './model.ts'
import { openWire } from './wire.ts'

const seed = Number(process.env['ISOLATION_SEED'] ?? 20_260_301)
const clients = 8
/** As many from each client. */
const requestsPerWorld =
  clients * Math.round(Number(process.env['ISOLATION_REQUESTS'] ?? times(5_000, 1_040)) / clients)

const accounts = Array.from({ length: clients }, (_, index) => ({
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
  budget: index % 4 === 3 ? 20 : 120,
}))

test(`8 worlds, called ${requestsPerWorld} times each at once, are isolated (seed ${seed})`, async () => {
  const greenhouse = createGreenhouse({
    fixtures: { accounts, keys, plants: [], apps: [] },
    journal: { entries: requestsPerWorld, bytes: 2 ** 30 },
  })
  for (const setting of settings) arrange(setting)
  await using server = await serve(greenhouse)
  const wire = openWire(server.port, settings.length * clients)
  const called = new Map(settings.map(({ name }) => [name, new Map<string, number>()]))
  try {
    await Promise.all(
      settings.flatMap((setting, number) => {
        const seen = new Set<string>()
        return keys.map(({ secret }, index) =>
          live(setting, secret, index, createChance(seed + number * clients + index), seen),
        )
      }),
    )
  } finally {
    wire.close()
  }

  for (const { name, now } of settings) {
    const entries = greenhouse.world(name).journal.calls()
    const counts = new Map<string, number>()
    for (const { operation } of entries) counts.set(operation!, (counts.get(operation!) ?? 0) + 1)
    expect(counts).toEqual(called.get(name))
    expect(new Set(entries.map((entry) => entry.world))).toEqual(new Set([name]))
    expect(new Set(entries.map((entry) => entry.at))).toEqual(new Set([now]))
  }
  expect(greenhouse.world().journal.calls()).toEqual([])

  function arrange({ name, now, includesId, failsDeletes, budget }: Setting) {
    const world = greenhouse.world(name)
    world.clock.freeze()
    world.clock.set(now)
    if (includesId) world.assume('plants.body.includes-id', 'yes')
    if (failsDeletes) world.use('server-error', { on: 'plants.delete' })
    if (budget < planBudget) world.use('rate-limited-plan', { remaining: budget })
  }

  async function live({ name }: Setting, secret: string, index: number, random: () => number, seen: Set<string>) {
    const model = new ModelClient(
      settings.find((setting) => setting.name === name)!,
      index,
      random,
      seen,
    )
    const counts = called.get(name)!
    for (let sent = 0; sent < requestsPerWorld / clients; sent++) {
      const { operation, method, path, body, once, check } = model.next()
      counts.set(operation, (counts.get(operation) ?? 0) + 1)
      const { prefix, headers } = address(name, secret, random())
      const reply = await wire.send(
        method,
        prefix + path,
        { ...headers, ...(once !== undefined && { 'idempotency-key': once }) },
        body,
      )
      check(reply)
    }
  }
})

/** Each of the three ways to name a world. */
function address(world: string, secret: string, roll: number): { prefix: string; headers: Record<string, string> } {
  const authorization = `Bearer ${secret}`
  if (roll < 1 / 3) return { prefix: `/~${world}`, headers: { authorization } }
  if (roll < 2 / 3) return { prefix: '', headers: { authorization, 'x-greenhouse-world': world } }
  return { prefix: '', headers: { authorization: `${authorization}@${world}` } }
}

/** Numbers in [0, 1) from a seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
