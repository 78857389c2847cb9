import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGreenhouse, type World } from 'greenhouse-mock'
import { replayCase, toCaseText } from 'greenhouse-mock'
import { loadCase } from 'greenhouse-mock/node'
import { type Place, placesOf } from '../builds/paths.ts'
import { noteCreated, toRequest } from '../builds/random-request.ts'
import { history, type Step } from '../builds/steps.ts'
import { adapters, type Send } from '../support/adapters.ts'
import { writeFolder } from '../support/folder.ts'
import { times } from '../support/soak.ts'
import { createPlants, open, subscribe } from '../webhooks/open.ts'
import { toInit } from '../support/test-api.ts'

/** Another one, or that of a failure: fast-check prints it. */
const seed = Number(process.env['TEST_SEED'] ?? 20_261_123)

const known = createGreenhouse({ now: '2026-03-01T12:00:30.000Z' })
const operations = known.operations()
const places = placesOf(known.world())
known.close()

/** What an owner does from outside, beside what a history has. */
const outside: readonly ((world: World) => unknown)[] = [
  (world) => world.records.plants.update(1, { name: 'Renamed' }),
  (world) => world.records.plants.delete(2),
  (world) =>
    world.records.plants.count({ id: 77_777 }) > 0 ||
    world.records.plants.create({ id: 77_777, name: 'Own', account: 'acct_pro' }),
  (world) => world.records.plants.replace(world.records.plants.all().slice(0, 9)),
  (world) => world.records.accounts.update('acct_pro', { plan: 'lite' }),
  (world) => world.records.accounts.update('acct_pro', { plan: 'pro_plus' }),
  (world) => world.createKey({ account: 'acct_lite', scopes: ['plants:read'] }),
  (world) => world.trigger('webhook.test'),
  (world) => world.trigger('message.sent', undefined, { account: 'acct_pro' }),
  (world) => world.use('slow', { ms: 5 }),
  (world) => world.use({ title: 'own one', respond: [{ on: 'apps.list', status: 500, times: 2 }] }),
  (world) => world.clear(),
  (world) => world.clock.freeze(),
  (world) => world.clock.run(),
  (world) => world.clock.set('2026-03-31T23:59:59.500Z'),
  (world) => world.snapshot('one'),
  (world) => world.snapshots.includes('one') && world.restore('one'),
]

const step = fc.oneof(
  { weight: 5, arbitrary: history(operations, 12) },
  { weight: 1, arbitrary: fc.constantFrom(...outside) },
)

const ways = adapters.filter(({ name }) => ['core', 'msw', 'node server'].includes(name))

const inFreshProcess = `
import { readdirSync } from 'node:fs'
import { replayCase } from '${new URL('../../dist/index.js', import.meta.url).href}'
import { loadCase } from '${new URL('../../dist/node.js', import.meta.url).href}'
const all = []
for (const file of readdirSync('.')) {
  const { greenhouse, requests, differences } = await replayCase(loadCase(file))
  greenhouse.close()
  all.push({ requests, differences })
}
console.log(JSON.stringify(all))`

test('a case gives the same replies, byte by byte, whatever happened and however it came in', async () => {
  const folder = writeFolder({})
  let requests = 0
  let saved = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(1_000), async (parts, number) => {
      const greenhouse = createGreenhouse({ seed: number, trace: number % 3 > 0 })
      const world = greenhouse.world('checkout')
      const { send, close } = await ways[number % ways.length]!.open(greenhouse)
      const made = await live(send, world, parts)
        .then(() => world.toCase())
        .finally(close)
        .finally(() => greenhouse.close())
      const file = join(folder, `${++saved}.case.yaml`)
      writeFileSync(file, toCaseText(made))
      const read = loadCase(file)
      expect(read).toEqual(made)
      const replayed = await replayCase(read)
      replayed.greenhouse.close()
      expect(replayed.differences).toEqual([])
      requests += replayed.requests
    }),
    { numRuns: times(500, 4), seed, endOnFailure: process.env['TEST_SHRINK'] === undefined },
  )
  expect(requests).toBeGreaterThan(times(50, 4))
  const { TEST_NODE: node = process.execPath } = process.env
  const words = ['--input-type=module', '-e', inFreshProcess]
  const output = execFileSync(node, words, { cwd: folder, encoding: 'utf8' })
  const again = JSON.parse(output) as { requests: number; differences: [] }[]
  expect(again.filter(({ differences }) => differences.length > 0)).toEqual([])
  expect(again.reduce((sum, one) => sum + one.requests, 0)).toBe(requests)
})

test.each([
  ['create create create create create', 'http://x.invalid/'],
  ['create create 1d create create', 'http://127.0.0.1:9/'],
  ['create 1d 1d create 1d', 'http://127.0.0.1:9/'],
])('deliveries that changed places during %s, to %s, are replayed', async (steps, url) => {
  const client = open({ use: ['webhook-out-of-order'] })
  await subscribe(client, url)
  for (const [place, step] of steps.split(' ').entries())
    if (step === 'create') await createPlants(client, 1, 9_000 + place)
    else client.world.clock.advance(step)
  await client.world.settled()
  const { greenhouse, differences } = await replayCase(client.world.toCase())
  greenhouse.close()
  expect(differences).toEqual([])
})

type Part = readonly Step[] | ((world: World) => unknown)

async function live(send: Send, world: World, parts: readonly Part[]): Promise<void> {
  const created: Place[] = []
  for (const part of parts) {
    if (typeof part === 'function') await part(world)
    else for (const one of part) await happen(one)
    if (created.length % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  }

  async function happen(one: Step): Promise<void> {
    if (one.kind === 'clock') return world.clock.advance(one.advance)
    if (one.kind === 'reset') return
    if (one.kind === 'use') {
      try {
        return world.useOnly(one.scenarios as never)
      } catch (error) {
        // MSW can't produce every fault.
        return expect(error).toMatchObject({ name: 'UnsupportedFaultError' })
      }
    }
    if (one.kind === 'assume') return world.assume(one.values)
    const [{ method, target, headers = [], body }, key] = toRequest(
      { ...one.ask, world: '' },
      places,
      created,
    )
    if (
      /^(TRACE|get)$/.test(method ?? '') ||
      (one.ask.place === undefined && /^(\.|%2e|$)/i.test(one.ask.junk))
    )
      return
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
    const others = headers.filter(([name]) => name.toLowerCase() !== 'x-greenhouse-world')
    const init: RequestInit = {
      ...(method !== undefined && { method }),
      headers: [...others, ['X-Greenhouse-World', 'checkout']] as never,
      ...(hasBody && { body: body as BodyInit }),
    }
    try {
      const reply = await send(target, init)
      noteCreated(
        created,
        { method: method ?? 'GET', target },
        key,
        reply.status,
        await reply.text(),
      )
    } catch {
      // A fault of the wire: there is no reply.
    }
  }
}

test('a case holds only the scenarios that were used', async () => {
  const slow = {
    title: 'Slow',
    description: 'Slow.',
    covers: 'Slow.',
    fault: [{ kind: 'delay' as const, fixed: '1ms' }],
  }
  const greenhouse = createGreenhouse({ scenarios: { own: slow, 'own-start': slow, sent: slow } })
  const world = greenhouse.world()
  world.use({ name: 'own-start' } as never)
  const headers = { 'x-greenhouse-scenario': 'sent, duplicate-ids' }
  await greenhouse.fetch(new Request('http://any/plants', { headers }))
  expect(Object.keys(world.toCase().start!.own_scenarios!)).toEqual(['own-start', 'sent'])
})

test('a case has a scenario of the user as it was read, whatever became of its object', async () => {
  const respond = [{ on: 'plants.list', status: 418, body: { a: 1 } as Record<string, unknown> }]
  const own = { title: 'Own', description: 'Own.', covers: 'Own.', respond }
  const scenarios: Record<string, object> = { own }
  const greenhouse = createGreenhouse({ scenarios } as never)
  const world = greenhouse.world()
  world.use('own')
  respond[0]!.status = 500
  respond[0]!.body['a'] = () => 1
  scenarios['later'] = { ...own }
  delete scenarios['own']
  await greenhouse.fetch('/plants', { headers: { authorization: 'Bearer key_pro' } })
  const saved = world.toCase()
  expect(saved.start!.own_scenarios).toMatchObject({
    own: { respond: [{ status: 418, body: { a: 1 } }] },
  })
  expect((await replayCase(saved)).differences).toEqual([])
})

const standIn = 'hidden_fp_0123456789ab'

test('a body that is no UTF-8 shows no secret of a record that is gone, and is replayed', async () => {
  const { world, call, send } = open({ use: ['invalid-utf8'] })
  const sent = toInit('POST', { body: { url: 'http://127.0.0.1:9/hook' } })
  const made = await (await send('/v1/webhooks', sent)).text()
  const [secret] = /whsec_[^"]+/.exec(made)!
  await call('DELETE', `/v1/webhooks/${world.records.webhooks.all().at(-1)!.id}`)
  const taken = world.toCase()
  const { reply } = taken.steps!.find(({ request }) => request === 'POST /v1/webhooks')!
  expect(atob(reply!.bytes!)).not.toContain(secret)
  const { greenhouse, differences } = await replayCase(taken)
  greenhouse.close()
  expect(differences).toEqual([])
})

test('a case has no secret but keys of plain words, and is replayed with the same replies', async () => {
  const secret = 'sk_live_4f9a8b7c6d5e4f3a2b1c'
  const { call, world } = open({
    fixtures: {
      accounts: [{ id: 'acct_pro', name: 'Pro', email: 'pro@example.com', plan: 'pro' }],
      keys: [
        { secret: 'key_pro', account: 'acct_pro' },
        { secret, account: 'acct_pro' },
      ],
    },
  })
  const created = await world.createKey({ account: 'acct_pro', scopes: ['apps:read'] })
  const unknown = 'sk_of_somebody_else_123456'
  const body = { url: 'http://127.0.0.1:9/?token=s3cr3t-t0ken', events: ['app.created'] }
  const { body: hook } = await call('POST', '/v1/webhooks', { key: secret, body })
  for (const key of [created.secret, unknown, 'key_pro']) await call('GET', '/v1/apps', { key })
  await call('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: secret })
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([
    201, 200, 401, 200, 200,
  ])

  const text = toCaseText(world.toCase(`${secret} sees the apps of ${created.secret}`))
  for (const one of [secret, created.secret, unknown, hook.secret, 's3cr3t-t0ken'])
    expect(text).not.toContain(one)
  expect(text).toContain('Bearer key_pro')
  const replayed = await replayCase(world.toCase())
  expect([replayed.differences, replayed.requests]).toEqual([[], 5])
  replayed.greenhouse.close()
})

test('a key changed from outside stays the same key in replays, however often it is saved', async () => {
  using greenhouse = createGreenhouse()
  const world = greenhouse.world()
  const { secret } = await world.createKey({ account: 'acct_pro' })
  const ask = () =>
    greenhouse.fetch(new Request('http://greenhouse.test/plants', toInit('GET', { key: secret })))
  await ask()
  world.records.keys.update(secret, { revoked: true })
  await ask()
  world.records.keys.delete(secret)
  await ask()
  expect(world.journal.calls().map(({ response }) => response.status)).toEqual([200, 401, 401])
  const once = await replayCase(world.toCase())
  const twice = await replayCase(once.world.toCase())
  for (const { differences, world: replayed, greenhouse } of [once, twice]) {
    expect([differences, replayed.records.keys.count()]).toEqual([[], world.records.keys.count()])
    greenhouse.close()
  }
  // A secret that stands in for another one stands in for it in the next case too.
  const stored = createGreenhouse({
    case: {
      case: 1,
      start: { records: { keys: { put: [{ secret: standIn, account: 'acct_pro' }] } } },
    },
  })
  expect(JSON.stringify(stored.world().toCase())).toContain(`"${standIn}"`)
  stored.close()
})
