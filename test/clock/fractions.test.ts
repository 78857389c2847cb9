import { expect } from 'vitest'
import { start, testApi } from '../support/test-api.ts'

const begin = Date.parse(start)

testApi('a length of time may have a fraction of any digits in each of its parts', async ({ world: { clock } }) => {
  for (const [length, expected] of [
    ['1.25h', 4_500_000],
    ['0.125s', 125],
    ['12.0625m', 723_750],
    ['-1.75d', -151_200_000],
    ['1.25h0.5m', 4_530_000],
    ['10.10s', 10_100],
  ] as const) {
    clock.set(start)
    clock.advance(length)
    expect(clock.now(), length).toBe(begin + expected)
  }
})

testApi('a fraction without digits before or behind its point is no length of time', async ({ world: { clock } }) => {
  for (const length of [
    '1.h',
    '.5h',
    '1..5h',
    '1.5',
    '1,5h',
    '1.5.5h',
    '--1h',
    '1h-1m',
    '+1h',
    ' 1h',
    '1h ',
    '1 h',
    '',
  ])
    expect(() => clock.advance(length), length).toThrow('Failed to read the duration')
  expect(clock.now()).toBe(begin)
})
