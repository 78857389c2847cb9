import { expect, test, vi } from 'vitest'
import { Changes } from '../../src/core/world/changes.ts'
import { createGreenhouse } from '../../src/index.ts'
import { testControl } from '../support/control.ts'
import { readEvents } from '../support/events.ts'

/** Makes every change that would be reported. */
async function change(greenhouse: ReturnType<typeof createGreenhouse>) {
  const world = greenhouse.world('busy')
  world.use('slow', { ms: 0 })
  world.assume('plants.delete.unknown', '204')
  world.clock.advance('1h')
  world.records.plants.create({ id: 9_001, name: 'Fern', account: 'acct_pro' })
  await greenhouse.fetch(new Request('http://x/~busy/plants', { headers: { authorization: 'Bearer key_pro' } }))
  world.snapshot('a')
  world.restore('a')
  world.reset()
  greenhouse.deleteWorld('busy')
}

test('nothing is notified while nobody listens', async () => {
  const told = vi.spyOn(Changes.prototype, 'notify')
  const greenhouse = createGreenhouse()
  await change(greenhouse)
  expect(told).not.toHaveBeenCalled()
  const stop = greenhouse.observeChanges(() => {})
  await change(greenhouse)
  expect(told.mock.calls.map(([{ type }]) => type)).toEqual(
    expect.arrayContaining(['world', 'scenarios', 'assumptions', 'clock', 'records', 'snapshots', 'journal-cleared']),
  )
  told.mockClear()
  stop()
  await change(greenhouse)
  expect(told).not.toHaveBeenCalled()
  told.mockRestore()
})

testControl('a stream that was closed is told nothing more', async ({ greenhouse, server }) => {
  const stream = await readEvents(server)
  await stream.until(({ type }) => type === 'gap')
  stream.close()
  await stream.ended
  await change(greenhouse)
  expect(stream.events).toHaveLength(1)
})
