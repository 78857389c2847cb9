/**
 * What a user can import, in the order of the documentation: `msw` is `greenhouse-mock/msw`,
 * `index` the package's own name.
 */
export const entries = [
  'index',
  'msw',
  'server',
  'express',
  'node',
  'client',
  'testing',
  'vitest',
  'playwright',
  'jest',
  'jest-preset',
  'matchers',
  'config',
  'panel',
  'data',
  'types',
  'evidence',
]
