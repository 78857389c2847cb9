import { expect, test } from 'vitest'
import { createGreenhouse, DataError } from 'greenhouse-mock'

test('only what a mistake in data throws is a DataError; any other value can be asked', () => {
  const values = [undefined, null, 'text', 5, 5n, true, Symbol('s'), {}, [], () => undefined, new Error('x')]
  for (const value of values) expect((value as unknown) instanceof DataError, String(value)).toBe(false)
  expect(() => createGreenhouse({ fixtures: { plants: [{ id: 'one' }] } as never })).toThrow(DataError)
})
