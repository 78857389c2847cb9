import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { faulty } from './among.ts'

const wrong: [fault: Record<string, unknown>, message: RegExp][] = [
  [{}, /expected "fails" or "words_per_second"/],
  [{ events: 3 }, /expected "fails" or "words_per_second"/],
  [{ events: 3, words_per_second: 1 }, /expected "fails" beside "events"/],
  [{ fails: 'break', for: '1s' }, /expected "fails: stall" beside "for"/],
  [{ fails: 'stall', error: 'not_found' }, /expected "fails: error" beside "error" and "message"/],
  [{ fails: 'stall', for: 'always' }, /expected a duration up to "1d", such as "30s", or "ever"/],
  [{ fails: 'stall', for: '2d' }, /expected a duration up to "1d"/],
  [{ fails: 'error', error: 'no_such_code' }, /invalid_request/],
  [{ words_per_second: 0 }, /words_per_second/],
]

test.each(wrong)('the fault stream with %j says what is wrong', (fields, message) => {
  expect(() => createGreenhouse(faulty({ kind: 'stream', ...fields }))).toThrow(message)
})
