import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { testControl } from '../support/control.ts'
import { readEvents, type ServerEvent } from '../support/events.ts'

const write = (greenhouse: { world(): any }, id: number) =>
  greenhouse.world().records.plants.create({ id, name: `Fern ${id}`, account: 'acct_pro' })

const turn = () => new Promise((resolve) => setImmediate(resolve))

testControl('who comes back gets what was missed, nothing lost and nothing twice', async ({ greenhouse, server }) => {
  const seen: ServerEvent[] = []
  let next = 10_000
  for (let connection = 0; connection < 8; connection++) {
    const last = seen.at(-1)?.id
    const stream = await readEvents(
      server,
      '/events?types=records',
      last === undefined ? {} : { 'last-event-id': last },
    )
    for (let count = 0; count < 25; count++) {
      write(greenhouse, next++)
      await turn()
    }
    const until = 10_000 + connection * 40 + 10
    await stream.until(({ data }) => data.id >= until)
    stream.close()
    await stream.ended
    seen.push(...stream.events.filter(({ type }) => type !== 'gap' || last === undefined))
    expect(stream.events.filter(({ type }) => type === 'gap')).toHaveLength(last === undefined ? 1 : 0)
    // Without a reader.
    for (let count = 0; count < 15; count++) {
      write(greenhouse, next++)
      await turn()
    }
  }
  const ids = seen.filter(({ type }) => type === 'records').map(({ data }) => data.id)
  expect(ids).toEqual(Array.from(ids, (_, place) => 10_000 + place))
  expect(ids.length).toBeGreaterThan(250)
})

testControl('an event that is not kept any more, or is none, is a gap', async ({ server, world }) => {
  const first = await readEvents(server, '/events?types=records')
  const { id } = await first.until(({ type }) => type === 'gap')
  // More than is kept.
  for (let count = 0; count < 3_000; count++) {
    world.assume('plants.delete.unknown', count % 2 ? '204' : '404')
    await turn()
  }
  for (const last of [id!, id!.replace(/^[^-]+/, 'zzzz'), id!.replace(/\d+$/, '999999'), 'nonsense', '-1', '']) {
    const again = await readEvents(server, '/events?types=records', { 'last-event-id': last })
    const gap = await again.until(() => true)
    expect([last, gap.type, gap.data]).toEqual([last, 'gap', { reason: 'forgotten', server: expect.any(String) }])
  }
})

testControl('20,000 events take bounded memory', { journal: { entries: 100 } }, async ({ greenhouse, server }) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    collect()
    return process.memoryUsage().heapUsed
  }
  const ask = (count: number) =>
    greenhouse.fetch(
      new Request(`http://x/plants?limit=1&page=${count}`, { headers: { authorization: 'Bearer key_pro' } }),
    )
  const stream = await readEvents(server, '/events?types=problems')
  await stream.until(({ type }) => type === 'gap')
  for (let count = 0; count < 2_000; count++) await ask(count)
  await turn()
  const before = used()
  for (let count = 0; count < 20_000; count++) {
    await ask(count)
    if (count % 100 === 0) await turn()
  }
  await turn()
  expect(used() - before).toBeLessThan(8 * 2 ** 20)
})

testControl(
  'a minute after the last reader left, events are forgotten, and come again to a new one',
  async (controlled) => {
    const { server, world } = controlled
    const first = await readEvents(server, '/events?types=clock')
    world.clock.freeze()
    const { id } = await first.until(({ type }) => type === 'clock')
    first.close()
    await new Promise((resolve) => setTimeout(resolve, 61_000))
    world.clock.run()
    const again = await readEvents(server, '/events?types=clock', { 'last-event-id': id! })
    expect(await again.until(() => true)).toMatchObject({ type: 'gap', data: { reason: 'forgotten' } })
    world.clock.freeze()
    expect(await again.until(({ type }) => type === 'clock')).toMatchObject({ data: { frozen: true } })
  },
)
