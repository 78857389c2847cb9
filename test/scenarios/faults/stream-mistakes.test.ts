import { expect, test } from 'vitest'
import { createGreenhouse } from '../../../src/index.ts'
import { faulty } from './among.ts'

const wrong: [fault: Record<string, unknown>, message: RegExp][] = [
  [{}, /expected "then" or "words_per_second"/],
  [{ events: 3 }, /expected "then" or "words_per_second"/],
  [{ events: 3, words_per_second: 1 }, /expected "then" beside "events"/],
  [{ then: 'break', for: '1s' }, /expected "then: stall" beside "for"/],
  [{ then: 'stall', error: 'not_found' }, /expected "then: error" beside "error" and "message"/],
  [{ then: 'stall', for: 'always' }, /expected a length of time up to "1d", such as "30s", or "ever"/],
  [{ then: 'stall', for: '2d' }, /expected a length of time up to "1d"/],
  [{ then: 'error', error: 'no_such_code' }, /invalid_request/],
  [{ words_per_second: 0 }, /words_per_second/],
]

test.each(wrong)('the fault stream with %j says what is wrong', (fields, message) => {
  expect(() => createGreenhouse(faulty({ kind: 'stream', ...fields }))).toThrow(message)
})
