import { expect, test } from 'vitest'
import { NewestNames } from '../../src/core/world/worlds.ts'

// Not through worlds: 100,000 of them take half a minute.
test('of names the newest are remembered, however many come', () => {
  const most = 1_000
  const names = new NewestNames(most)
  const remembered = () => Array.from({ length: 5_000 }, (_, place) => place).filter((place) => names.has(`w${place}`))
  for (let place = 0; place < 5_000; place++) {
    names.add(`w${place}`)
    if (place % 97 === 0) {
      const known = remembered()
      expect(known.at(-1)).toBe(place)
      expect(known.length).toBeGreaterThanOrEqual(Math.min(place + 1, most))
      expect(known.length).toBeLessThanOrEqual(most * 1.01)
      expect(known).toEqual(Array.from(known, (_, index) => known[0]! + index))
    }
  }
})

test('a name that was forgotten on purpose is as one that never was', () => {
  const names = new NewestNames(2)
  for (const name of ['a', 'b']) names.add(name)
  expect([names.delete('a'), names.delete('a'), names.has('a'), names.has('b')]).toEqual([true, false, false, true])
  for (const name of ['a', 'c']) names.add(name)
  expect(['a', 'b', 'c'].filter((name) => names.has(name))).toEqual(['a', 'c'])
})
