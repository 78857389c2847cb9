import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { adapters } from '../../support/adapters.ts'
import { chancy, fromCore, statusesOf } from './sequence.ts'

/** The result of seed 1 on any machine. */
const expected = '418 200 200 200 200 503 502 200 200 418 200 418 502 200 502 200 502 503 200 200'
  .split(' ')
  .map(Number)

test('the same seed gives the same sequence of faults through every adapter', async () => {
  const sequences: number[][] = []
  for (const adapter of adapters) {
    const greenhouse = createGreenhouse({ scenarios: chancy, use: ['chancy'] })
    const { send, close } = await adapter.open(greenhouse)
    sequences.push(await statusesOf(send))
    await close()
  }
  for (const sequence of sequences) expect(sequence).toEqual(sequences[0])
  expect(new Set(sequences[0])).toEqual(new Set([200, 418, 502, 503]))
})

test('the sequence of a seed is the same on every machine and in every run', async () => {
  expect(
    (await fromCore(createGreenhouse({ scenarios: chancy, use: ['chancy'], seed: 1 }))).slice(0, expected.length),
  ).toEqual(expected)
})

test('another seed gives another sequence', async () => {
  const sequences = await Promise.all(
    [1, 2, 3].map((seed) => fromCore(createGreenhouse({ scenarios: chancy, use: ['chancy'], seed }))),
  )
  expect(new Set(sequences.map(String)).size).toBe(3)
})
