import { expect, onTestFinished, test, vi } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { adapters } from '../support/adapters.ts'

/** Records console output instead of printing it. */
function listenToConsole() {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => told.mockRestore())
  return () => told.mock.calls.map((words) => words.map(String).join(' '))
}

for (const adapter of adapters)
  test(`a listener that fails is reported, and the reply and the process survive (${adapter.name})`, async () => {
    const greenhouse = createGreenhouse()
    const told = listenToConsole()
    greenhouse.subscribe(async () => Promise.reject(new Error('rejected')))
    greenhouse.subscribe(() => {
      throw new Error('thrown')
    })
    greenhouse.world().journal.subscribe(async () => Promise.reject(new Error('rejected by the journal')))
    const { send, close } = await adapter.open(greenhouse)
    try {
      expect((await send('/v1/apps', { headers: { authorization: 'Bearer key_pro' } })).status).toBe(200)
    } finally {
      await close()
    }
    const failed = 'A listener of the journal failed: Error: '
    await expect
      .poll(() =>
        told()
          .filter((line) => line.startsWith(failed))
          .sort(),
      )
      .toEqual([failed + 'rejected', failed + 'rejected by the journal', failed + 'thrown'])
  })

test('due work that throws or rejects is reported, and time goes on', async () => {
  const { clock } = createGreenhouse({ now: '2026-03-01T12:00:00Z' }).world()
  const told = listenToConsole()
  const done: string[] = []
  clock.freeze()
  clock.schedule('2026-03-01T12:01:00Z', async () => Promise.reject(new Error('rejected')))
  clock.schedule('2026-03-01T12:01:00Z', () => {
    throw Object.assign(new Error('thrown'), { [Symbol.toPrimitive]: undefined })
  })
  clock.schedule('2026-03-01T12:02:00Z', () => done.push('later'))
  clock.advance('1h')
  expect(done).toEqual(['later'])
  await expect.poll(told).toEqual([expect.stringContaining('thrown'), expect.stringContaining('rejected')])
})
