import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'
import { expect, onTestFinished, test } from 'vitest'
import { sendChunks } from '../../src/control/http/answer-request.ts'
import { sortInTurns } from '../../src/control/turns.ts'

/** Returns a function that tells how many turns the event loop has had since. */
function countTurns(): () => number {
  let turns = 0
  const count = () => {
    turns++
    ticking = setImmediate(count)
  }
  let ticking = setImmediate(count)
  onTestFinished(() => clearImmediate(ticking))
  return () => turns
}

test('a reader that takes everything at once does not keep others from their turn', async () => {
  const turns = countTurns()
  const seen: number[] = []
  const response = Object.assign(new EventEmitter(), {
    req: { method: 'GET', socket: { setTimeout: () => undefined } },
    destroyed: false,
    writeHead: () => response,
    end: () => undefined,
    write() {
      seen.push(turns())
      process.nextTick(() => response.emit('drain'))
      return false
    },
  })
  await sendChunks(
    response as unknown as ServerResponse,
    Array.from({ length: 20 }, () => ['x', 65_536] as const),
  )
  expect(seen).toHaveLength(20)
  expect(new Set(seen.slice(1)).size).toBe(19)
})

test('a long list is sorted in many turns, and stays in order where items are equal', async () => {
  const items = Array.from({ length: 9_001 }, (_, place) => ({ rank: (place * 7_919) % 90, place }))
  const turns = countTurns()
  const sorted = await sortInTurns(items, (one, other) => one.rank - other.rank)
  expect(turns()).toBeGreaterThan(8)
  expect(sorted).toEqual(items.toSorted((one, other) => one.rank - other.rank))
})

test('the first items of a long list are those of the sorted list', async () => {
  const items = Array.from({ length: 9_001 }, (_, place) => ({ rank: (place * 7_919) % 90, place }))
  const sorted = items.toSorted((one, other) => one.rank - other.rank)
  for (const most of [0, 1, 25, 2_000, 2_001, 9_001, 10_000])
    expect(await sortInTurns(items, (one, other) => one.rank - other.rank, most)).toEqual(sorted.slice(0, most))
})
