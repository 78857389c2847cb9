import { expect, onTestFinished, test, vi } from 'vitest'
import type { RunningServer } from 'greenhouse-mock/server'
import { testControl, expectInvalid } from '../support/control.ts'
import { readEvents } from '../support/events.ts'
import { Changes } from '../../src/core/world/changes.ts'
import { createGreenhouse } from '../../src/index.ts'

/** Opens the stream of events, which begins with a start, and ends with the server. */
async function openEvents(server: RunningServer, path?: string) {
  const stream = await readEvents(server, path)
  await stream.until(({ type }) => type === 'start')
  return stream
}

testControl(
  'a stream begins with a start, and then tells everything that changes',
  async ({ control, call, server }) => {
    const stream = await readEvents(server)
    expect(await stream.until(() => true)).toEqual({
      type: 'start',
      data: { server: expect.any(String) },
    })

    const told = async (type: string, isMeant: (data: any) => boolean = () => true) =>
      (await stream.until((event) => event.type === type && isMeant(event.data))).data

    await call('/plants')
    expect(await told('request')).toMatchObject({
      id: 1,
      operation: 'plants.list',
      world: 'default',
      request: { method: 'GET', url: '/plants' },
      response: { status: 200 },
      key: 'key_pro',
      scenarios: [],
    })

    await call('/plants', { method: 'POST', body: '{"id":9001,"name":"Fern"}' })
    const plant = { world: 'default', collection: 'plants', change: 'created', id: 9001 }
    expect(await told('records', ({ collection }) => collection === 'plants')).toEqual(plant)

    await control('PUT', '/worlds/shop/scenarios', { active: ['slow:ms=1'] })
    expect(await told('world')).toEqual({ world: 'shop', change: 'created' })
    expect(await told('scenarios')).toMatchObject({
      world: 'shop',
      active: [{ name: 'slow', ms: 1 }],
    })

    await control('PATCH', '/worlds/shop/clock', { now: '2026-05-01T00:00:00Z', frozen: true })
    expect(await told('clock')).toEqual({
      world: 'shop',
      now: '2026-05-01T00:00:00.000Z',
      frozen: true,
    })

    await control('PATCH', '/worlds/shop/assumptions', { 'plants.delete.unknown': '204' })
    expect((await told('assumptions')).assumptions['plants.delete.unknown']).toBe('204')

    const { body: key } = await control('POST', '/worlds/shop/keys', { account: 'acct_pro' })
    const made = { world: 'shop', collection: 'keys', change: 'created', id: key.id }
    expect(await told('records', ({ collection }) => collection === 'keys')).toEqual(made)

    await control('PUT', '/worlds/shop/snapshots/before')
    expect(await told('snapshots')).toEqual({ world: 'shop', snapshots: ['before'] })
    await control('POST', '/worlds/shop/snapshots/before/restore')
    expect(await told('world', ({ change }) => change === 'restored')).toEqual({
      world: 'shop',
      change: 'restored',
    })

    await control('DELETE', '/worlds/default/journal')
    expect(await told('journal-cleared')).toEqual({ world: 'default' })
    await control('POST', '/worlds/shop/reset')
    expect(await told('world', ({ change }) => change === 'reset')).toEqual({
      world: 'shop',
      change: 'reset',
    })
    await control('DELETE', '/worlds/shop')
    expect(await told('world', ({ change }) => change === 'deleted')).toEqual({
      world: 'shop',
      change: 'deleted',
    })

    expect(JSON.stringify(stream.events)).not.toContain(key.secret)
  },
)

testControl('a delivery is told with each attempt', async ({ control, server, world }) => {
  const [hook] = world.records.webhooks.all()
  const own = { account: 'acct_pro', app: null, enabled: true, url: 'http://127.0.0.1:9/hook' }
  world.records.webhooks.replace([
    { ...hook!, ...own, id: 'whk_0000000000000001', events: ['app.created'] },
  ])
  const stream = await openEvents(server, '/events?types=delivery')
  const { body } = await control('POST', '/worlds/default/events', {
    type: 'app.created',
    account: 'acct_pro',
  })
  const id = body.data[0].id
  const last = await stream.until(({ data }) => data.id === id && data.attempts === 1)
  expect(last.data).toEqual({
    world: 'default',
    id,
    webhook: 'whk_0000000000000001',
    type: 'app.created',
    status: 'pending',
    attempts: 1,
    next_attempt_at: expect.stringMatching(/^2026-/),
  })
})

testControl(
  'changes of one thing in one turn are one event, the last',
  async ({ server, world }) => {
    const stream = await openEvents(server)
    for (let id = 5_000; id < 5_100; id++)
      world.records.plants.create({ id, name: 'Fern', account: 'acct_pro' })
    for (let ms = 1; ms <= 10; ms++) world.use('slow', { ms })
    world.records.apps.delete(world.records.apps.all()[0]!.id)
    world.clock.advance('1h')
    await stream.until(({ type }) => type === 'clock')
    expect(
      stream.events.slice(1).map(({ type, data }) => [type, data.collection, data.change, data.id]),
    ).toEqual([
      ['records', 'plants', 'created', undefined],
      ['scenarios', undefined, undefined, undefined],
      ['records', 'apps', 'deleted', expect.stringMatching(/^app_/)],
      ['clock', undefined, undefined, undefined],
    ])
    expect(stream.events[2]!.data.active).toMatchObject([{ name: 'slow', ms: 10 }])
    world.records.plants.create({ id: 6_000, name: 'Fern', account: 'acct_pro' })
    world.records.plants.delete(6_000)
    const changed = await stream.until(({ data }) => data.change === 'changed')
    expect(changed.data).toEqual({
      world: 'default',
      collection: 'plants',
      change: 'changed',
      id: 6_000,
    })
  },
)

testControl(
  'a reader gets the world and the types that it asks for',
  async ({ control, greenhouse, server }) => {
    const stream = await openEvents(server, '/events?world=a&types=clock,scenarios')
    greenhouse.world('a').use('slow')
    await control('POST', '/worlds/a/scenarios', { active: ['server-error'] })
    greenhouse.world('b').use('slow')
    greenhouse.world('b').clock.freeze()
    greenhouse.world('a').assume('plants.delete.unknown', '204')
    greenhouse.world('a').clock.freeze()
    await stream.until(({ type }) => type === 'clock')
    expect(stream.events.map(({ type, data }) => [type, data.world])).toEqual([
      ['start', undefined],
      ['scenarios', 'a'],
      ['scenarios', 'a'],
      ['clock', 'a'],
    ])
  },
)

testControl('a type, a world or a parameter that is none is refused', async ({ control }) => {
  await expectInvalid(
    control('GET', '/events?types=clock,requests'),
    /no type "requests".*Did you mean "request"\?/,
  )
  await expectInvalid(control('GET', '/events?world=a%20b'), /^world: expected 1 to 64/)
  await expectInvalid(control('GET', '/events?type=clock'), /Did you mean "types"\?/)
  expect((await control('HEAD', '/events')).status).toBe(200)
})

testControl(
  'a request that is held back is told when it waits and when it was answered',
  async ({ call, server }) => {
    const stream = await openEvents(server, '/events?types=request')
    await call('/plants', { headers: { 'x-greenhouse-scenario': 'slow:ms=60' } })
    await stream.until(({ data }) => data.bytes > 0)
    expect(
      stream.events.slice(1).map(({ data }) => [data.id, data.pending, data.scenarios]),
    ).toEqual([
      [1, true, ['slow']],
      [1, undefined, ['slow']],
    ])
  },
)

testControl(
  'a key that was sent by mistake is a fingerprint in what is told',
  async ({ call, server }) => {
    const stream = await openEvents(server, '/events?types=request')
    const secret = 'sk_live_abcdefghijklmnop'
    await call(`/plants?token=${secret}`, { headers: { authorization: `Bearer ${secret}` } })
    const { data } = await stream.until(({ type }) => type === 'request')
    expect(data).toMatchObject({
      key: expect.stringMatching(/^fp_[\da-f]{12}$/),
      response: { status: 401 },
    })
    expect(data.request.url).toBe(`/plants?token=${data.key}`)
    expect(JSON.stringify(stream.events)).not.toContain(secret)
  },
)

testControl(
  'a reload is one event, however many worlds follow it',
  async ({ greenhouse, server, control }) => {
    const worlds = Array.from({ length: 2_200 }, (_, index) => `w${index}`)
    for (const name of worlds) expect(greenhouse.world(name).records.plants.all()).not.toEqual([])
    const stream = await openEvents(server)
    greenhouse.reload({
      fixtures: { accounts: [{ id: 'acct', name: 'A', email: 'a@example.com', plan: 'pro' }] },
    })
    await control('PATCH', '/worlds/w1/clock', { frozen: true })
    await stream.until(({ type }) => type === 'clock')
    expect(stream.events.map(({ type }) => type)).toEqual(['start', 'reload', 'clock'])
    expect(greenhouse.world('w2199').records.plants.all()).toEqual([])
  },
)

testControl(
  'a secret that goes with its world in one turn is hidden',
  async ({ greenhouse, server, world }) => {
    const stream = await openEvents(server, '/events?types=request,world')
    // It does not look like a secret.
    const secret = 'ABCDEFGH12345678IJKLMNOP'
    world.records.keys.create({ secret, account: 'acct_pro' })
    await greenhouse.fetch(new Request(`http://x/plants?limit=${secret}`))
    world.reset()
    await stream.until(({ type }) => type === 'world')
    expect(stream.events.map(({ type }) => type)).toEqual(['start', 'request', 'world'])
    expect(stream.events[1]!.data.request.url).toMatch(/^\/plants\?limit=fp_[\da-f]{12}$/)
    expect(JSON.stringify(stream.events)).not.toContain(secret)
  },
)

testControl(
  'a secret in the name of a world is hidden in an event',
  async ({ greenhouse, server }) => {
    const stream = await openEvents(server, '/events?types=request')
    const secret = 'ABCDEFGH12345678IJKLMNOP'
    greenhouse.world(secret).records.keys.create({ secret, account: 'acct_pro' })
    await greenhouse.fetch(
      new Request(`http://x/~${secret}/plants`, { headers: { authorization: `Bearer ${secret}` } }),
    )
    await stream.until(({ type }) => type === 'request')
    expect(stream.events.at(-1)!.data.world).toMatch(/^fp_[\da-f]{12}$/)
  },
)

testControl(
  'an event is no use: the same worlds are dropped',
  { maxWorlds: 3 },
  async ({ greenhouse, server }) => {
    const stream = await openEvents(server)
    const first = greenhouse.world('first')
    const second = greenhouse.world('second')
    // In the other order than they are used in.
    second.clock.freeze()
    first.clock.freeze()
    await stream.until(({ type, data }) => type === 'clock' && data.world === 'first')
    expect(greenhouse.worlds()).toEqual(['default', 'first', 'second'])
    greenhouse.world('third')
    const { data } = await stream.until(({ data }) => data.change === 'dropped')
    expect(data.world).toBe('first')
  },
)

/** Makes every change that would be reported. */
async function change(greenhouse: ReturnType<typeof createGreenhouse>) {
  const world = greenhouse.world('busy')
  world.use('slow', { ms: 0 })
  world.assume('plants.delete.unknown', '204')
  world.clock.advance('1h')
  world.records.plants.create({ id: 9_001, name: 'Fern', account: 'acct_pro' })
  await greenhouse.fetch(
    new Request('http://x/~busy/plants', { headers: { authorization: 'Bearer key_pro' } }),
  )
  world.snapshot('a')
  world.restore('a')
  world.reset()
  greenhouse.deleteWorld('busy')
}

test('changes reach an observer until it stops; without one, writes of records are not reported', async () => {
  const notify = vi.spyOn(Changes.prototype, 'notify')
  onTestFinished(() => notify.mockRestore())
  const writes = () => notify.mock.calls.filter(([{ type }]) => type === 'records')
  const greenhouse = createGreenhouse()
  await change(greenhouse)
  expect(writes()).toEqual([])
  const seen: string[] = []
  const stop = greenhouse.changes.observe(({ type }) => void seen.push(type))
  await change(greenhouse)
  const types = [
    'world',
    'scenarios',
    'assumptions',
    'clock',
    'records',
    'snapshots',
    'journal-cleared',
  ]
  expect(seen).toEqual(expect.arrayContaining(types))
  stop()
  for (const calls of [seen, notify.mock.calls]) calls.length = 0
  await change(greenhouse)
  expect([seen, writes()]).toEqual([[], []])
})

testControl('a stream that was closed is told nothing more', async ({ greenhouse, server }) => {
  const stream = await openEvents(server)
  stream.close()
  await stream.ended
  await change(greenhouse)
  expect(stream.events).toHaveLength(1)
})

testControl(
  'who comes back gets no event from before, whatever number it names',
  async ({ server, world, control }) => {
    const first = await openEvents(server, '/events?types=clock,records')
    world.clock.freeze()
    await first.until(({ type }) => type === 'clock')
    first.close()
    await first.ended
    world.records.plants.create({ id: 9002, name: 'Fern', account: 'acct_pro' })
    const again = await readEvents(server, '/events?types=clock,records', { 'last-event-id': '1' })
    await again.until(({ type }) => type === 'start')
    // What was missed is there to read.
    expect((await control('GET', '/worlds/default/records/plants/9002')).body).toMatchObject({
      name: 'Fern',
    })
    world.clock.run()
    await again.until(({ type }) => type === 'clock')
    expect(again.events.map(({ type }) => type)).toEqual(['start', 'clock'])
  },
)
