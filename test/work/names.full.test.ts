import { expect, test } from 'vitest'
import { suggest } from '../../src/core/text/messages.ts'
import { createGreenhouse } from 'greenhouse-mock'
import { workOf } from '../support/work.ts'

const long = 'a'.repeat(2 ** 20)

test('a name of a million characters takes no more work than a short one', () => {
  const known = createGreenhouse()
    .scenarios()
    .map(({ name }) => name)
  const many = (name: string) => () => {
    for (let time = 0; time < 20; time++) suggest(name, known)
  }
  // It took two seconds.
  expect(workOf(many(long))).toBeLessThan(20 * workOf(many('expird-key')) + 20)
})

test('of thousands of names only so many are compared', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `world-${String(index).padStart(50, 'x')}`)
  expect(workOf(() => suggest('world-'.padEnd(56, 'y'), names))).toBeLessThan(
    30 * workOf(() => suggest('world-'.padEnd(56, 'y'), names.slice(0, 1_000))) + 30,
  )
})

test('a misspelt name still gets a suggestion', () => {
  expect(suggest('expird-key', ['slow', 'expired-key'])).toBe(' Did you mean "expired-key"?')
  expect(suggest('zzz', ['slow', 'expired-key'])).toBe('')
  expect(suggest('', ['a'])).toBe('')
})
