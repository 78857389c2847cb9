import { expect, test } from 'vitest'
import { globFilter } from '../../src/core/text/values.ts'

const fits: [pattern: string, operation: string, fits: boolean][] = [
  ['*', 'plants.list', true],
  ['plants.*', 'plants.list', true],
  ['plants.*', 'plants.', true],
  ['plants.*', 'plants', false],
  ['*.list', 'apps.list', true],
  ['*.list', 'apps.lists', false],
  ['p*t*t', 'plants.list', true],
  ['p*x*t', 'plants.list', false],
  ['plants.list', 'plants.list', true],
  ['plants.lis', 'plants.list', false],
  ['plants?list', 'plants.list', false],
  ['plantsxlist', 'plants.list', false],
  ['pla*ants.list', 'plants.list', false],
  ['(', '(', true],
  ['', 'plants.list', false],
]

for (const [pattern, operation, expected] of fits)
  test(`pattern ${JSON.stringify(pattern)} ${expected ? 'means' : 'does not mean'} ${operation}`, () => {
    expect(globFilter(pattern)(operation)).toBe(expected)
  })

test('a pattern of many stars is not slow', () => {
  const isMeant = globFilter(`${'*a'.repeat(5_000)}*!`)
  expect(isMeant(`${'a'.repeat(10_000)}`)).toBe(false)
})

test('no pattern means every operation, several mean each of them', () => {
  expect(globFilter(undefined)('plants.list')).toBe(true)
  expect(['plants.list', 'apps.list', 'apps.get'].filter(globFilter(['plants.*', 'apps.get']))).toEqual([
    'plants.list',
    'apps.get',
  ])
})
