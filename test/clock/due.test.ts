import { expect, vi } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const begin = Date.parse(start)

testApi(
  'due work is done in the order of its times, with the clock at each of them',
  async ({ world: { clock } }) => {
    const done: string[] = []
    const due = (name: string, after: number) =>
      clock.schedule(begin + after, () => done.push(`${name} at ${clock.now() - begin}`))
    due('c', 3_000)
    due('a', 1_000)
    due('b1', 2_000)
    due('b2', 2_000)
    due('later', 60_000)
    clock.advance('10s')
    expect(done).toEqual(['a at 1000', 'b1 at 2000', 'b2 at 2000', 'c at 3000'])
    expect(clock.now()).toBe(begin + 10_000)
    clock.set(begin + 60_000)
    expect(done.at(-1)).toBe('later at 60000')
  },
)

testApi(
  'work that due work asks for within the same move is done, too, in its turn',
  async ({ world: { clock } }) => {
    const done: string[] = []
    const note = (name: string) => done.push(`${name} at ${clock.now() - begin}`)
    clock.schedule(begin + 1_000, () => {
      note('first')
      clock.schedule(clock.now() + 1_000, () => {
        note('second')
        clock.schedule(clock.now() + 60_000, () => note('much later'))
      })
    })
    clock.schedule(begin + 3_000, () => note('third'))
    clock.advance('10s')
    expect(done).toEqual(['first at 1000', 'second at 2000', 'third at 3000'])
    clock.advance('1m')
    expect(done.at(-1)).toBe('much later at 62000')
  },
)

const moves: [title: string, after: number, done: Record<string, number>][] = [
  ['work is done at its very time, not before', 30_000, { '29999ms': 0, '1ms': 1 }],
  ['going back and on again does nothing twice', 1_000, { '1m': 1, '-1h': 1, '2h': 1 }],
  [
    'work that is not yet done waits while the clock goes back',
    1_000,
    { '-1h': 0, '1h': 0, '1s': 1 },
  ],
]

for (const [title, after, steps] of moves)
  testApi(title, async ({ world: { clock } }) => {
    const work = vi.fn()
    clock.schedule(begin + after, work)
    for (const [by, done] of Object.entries(steps)) {
      clock.advance(by)
      expect([by, work.mock.calls.length]).toEqual([by, done])
    }
  })

testApi('work that was taken back is not done', async ({ world: { clock } }) => {
  const done: string[] = []
  const cancel = clock.schedule(begin + 1_000, () => done.push('cancelled'))
  clock.schedule(begin + 1_000, () => done.push('kept'))
  clock.schedule(begin + 500, () => cancelLater())
  const cancelLater = clock.schedule(begin + 2_000, () => done.push('cancelled by other work'))
  cancel()
  cancel()
  clock.advance('1m')
  expect(done).toEqual(['kept'])
})

testApi(
  'a running clock does due work by itself, a frozen one does not',
  async ({ world: { clock } }) => {
    const work = vi.fn()
    const done = new Promise<void>((resolve) => clock.schedule(begin + 10, () => resolve(work())))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(work).not.toHaveBeenCalled()
    clock.run()
    await done
    expect(clock.now()).toBeGreaterThanOrEqual(begin + 10)
  },
)

testApi(
  'work that is already due runs at once, even while time stands still',
  async ({ world: { clock } }) => {
    await new Promise<void>((resolve) => clock.schedule(begin - 1_000, resolve))
    expect(clock.now()).toBe(begin)
  },
)

testApi('work that is years away is not done early', async ({ world: { clock } }) => {
  const work = vi.fn()
  clock.run()
  clock.schedule('9999-01-01T00:00:00Z', work)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(work).not.toHaveBeenCalled()
  clock.set('9999-01-01T00:00:00Z')
  expect(work).toHaveBeenCalledOnce()
})
