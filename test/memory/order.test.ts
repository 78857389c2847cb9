import { expect, test } from 'vitest'
import type { World } from 'greenhouse-mock'
import { expectControlError, testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'
import { open, type OwnClient } from '../support/test-api.ts'

const options = { memory: 600_000 }

const dropped = expect.objectContaining({
  name: 'EvictedError',
  message: expect.stringMatching(/it dropped matching entries to make room.*\(the option memory\)/),
})

/** Sends a request of 58 kB, which is refused: only the journal keeps it. */
const ask = ({ call }: Pick<OwnClient, 'call'>, world: string) =>
  call('POST', `/~${world}/plants`, { body: 'x'.repeat(58_000) })

/** Creates a plant of 20 kB. The world remembers the same for its case. */
const write = ({ records }: World, id: number) =>
  records.plants.create({ id, name: 'x'.repeat(20_000), account: 'acct_pro' })

/**
 * Writes to a world until that is refused. Returns the states that the worlds were in, such as `a1
 * b0` for journals of one entry and of none.
 */
function fill(
  { greenhouse }: Pick<OwnClient, 'greenhouse'>,
  name: string,
  names: string,
): [states: string[], refused: Error] {
  const states: string[] = []
  for (let id = 2_000, refused: Error | undefined; ; id++) {
    const alive = [...names].map((one) => [one, greenhouse.findWorld(one)?.journal.size] as const)
    const state = alive
      .flatMap(([one, size]) => (size === undefined ? [] : `${one}${size}`))
      .join(' ')
    if (states.at(-1) !== state) states.push(state)
    if (refused) return [states, refused]
    try {
      write(greenhouse.findWorld(name)!, id)
    } catch (error) {
      refused = error as Error
    }
  }
}

test('memory is freed in order: idle journals, idle worlds, own entries, then writes fail', async () => {
  const client = open(options)
  const { greenhouse } = client
  for (const name of 'abc') {
    write(greenhouse.world(name), 1_000)
    await ask(client, name)
  }
  await ask(client, 'w')
  // Asking for a world is a use, so b is now used last.
  for (const name of 'bw') greenhouse.world(name)
  const [states, refused] = fill(client, 'w', 'abcw')
  expect(states).toEqual([
    'a1 b1 c1 w1',
    'a0 b1 c1 w1',
    'a0 b1 c0 w1',
    'a0 b0 c0 w1',
    'b0 c0 w1',
    'b0 w1',
    'w1',
    'w0',
  ])
  expect(refused).toMatchObject({
    name: 'DataMemoryError',
    message: expect.stringContaining('--memory (memory in code)'),
  })
  expect(
    await client.call('POST', '/~w/plants', { body: { id: 1_000, name: 'x'.repeat(20_000) } }),
  ).toMatchObject({
    status: 507,
    body: { error: 507, message: expect.stringContaining('raise the limit with --memory') },
  })
  expect((await client.call('GET', '/~a/plants')).body.error.message).toContain(
    'raise the limits (maxWorlds, memory)',
  )
  const { journal } = greenhouse.world('w')
  expect(journal.evicted).toBeGreaterThan(0)
  expect(() => journal.calls({ status: 400 })).toThrow(dropped)
})

testControl(
  'a world that is in use stays, and its journal: pinned, followed, or read by a stream',
  options,
  async (controlled) => {
    const { greenhouse, server, api } = controlled
    const client = { ...controlled, call: api }
    for (const name of 'abcde') await ask(client, name)
    greenhouse.world('a').pinned = true
    const stop = greenhouse.world('b').journal.subscribe(() => undefined)
    const events = await readEvents(server, '/events?world=c')
    const entries = await readEvents(server, '/worlds/d/journal/stream')
    const [states] = fill(client, 'default', 'abcde')
    expect(states).toEqual(['a1 b1 c1 d1 e1', 'a1 b1 c1 d1 e0', 'a1 b1 c1 d1'])
    stop()
    greenhouse.world().reset()
    expect(fill(client, 'default', 'abcd')[0]).toEqual(['a1 b1 c1 d1', 'a1 b0 c1 d1', 'a1 c1 d1'])
    events.close()
    entries.close()
  },
)

testControl(
  'the control API says that a journal was dropped',
  { memory: 220_000 },
  async (controlled) => {
    const { control, api } = controlled
    for (const name of 'abbb') await ask({ call: api }, name)
    expect((await control('GET', '/worlds/a')).body.journal).toEqual({ size: 0, evicted: 1 })
    for (const path of ['journal', 'journal?status=400', 'journal.har'])
      expectControlError(
        await control('GET', `/worlds/a/${path}`),
        409,
        'journal_evicted',
        /make room.*option memory/,
      )
    expectControlError(
      await control('GET', '/worlds/a/journal/1'),
      404,
      'unknown_entry',
      /dropped to make room/,
    )
  },
)

test('a journal that was dropped says so to each question', async () => {
  const client = open({ memory: 220_000 })
  const { greenhouse } = client
  for (const name of 'ab') await ask(client, name)
  const { journal } = greenhouse.world('a')
  expect([journal.size, journal.evicted]).toEqual([1, 0])
  await ask(client, 'b')
  await ask(client, 'b')
  expect([journal.size, journal.evicted, journal.bytes]).toEqual([0, 1, 0])
  for (const question of [
    () => journal.calls(),
    () => journal.calls({ status: 400 }),
    () => journal.violations(),
  ])
    expect(question).toThrow(dropped)
  expect(journal.calls({ operation: 'plants.list' })).toEqual([])
  await client.call('GET', '/~a/plants?limit=1')
  expect(journal.calls()).toHaveLength(1)
  expect(() => journal.calls({ status: 400 })).toThrow(dropped)
  journal.clear()
  expect(journal.calls()).toEqual([])
})

test('a flood of bodies stays below the limit, and keeps the newest worlds', async () => {
  const memory = 2 ** 21
  const { greenhouse, world, call } = open({ memory })
  const { all } = world.core.memory
  for (let count = 0; count < 150; count++) {
    const name = `world-${Math.floor(count / 3)}`
    const body = { id: 1_000 + count, name: `${count}`.padEnd(30_000, 'x') }
    expect((await call('POST', `/~${name}/plants`, { body })).status).toBe(200)
    expect(all.used).toBeLessThanOrEqual(memory)
    expect(greenhouse.world(name).journal.calls().at(-1)!.request.url).toBe(`/~${name}/plants`)
  }
  expect(greenhouse.worlds()).toContain('world-49')
  expect(greenhouse.worlds()).not.toContain('world-0')
  expect((await call('GET', '/~world-0/plants')).body.error.code).toBe('world_dropped')
})

test('hundreds of worlds stay below the limit: the newest are there', async () => {
  const memory = 2 ** 22
  const { greenhouse, world, call } = open({ memory })
  for (let count = 0; count < 900; count++) await call('GET', `/~world-${count}/plants?limit=1`)
  expect(world.core.memory.all.used).toBeLessThanOrEqual(memory)
  const left = greenhouse.worlds().filter((name) => name !== 'default')
  expect(left.length).toBeGreaterThan(400)
  expect(left).toEqual(left.map((_, place) => `world-${900 - left.length + place}`))
})
