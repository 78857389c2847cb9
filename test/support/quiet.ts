import { afterAll, afterEach, beforeEach } from 'vitest'
import { takeOutput, takeReplaced, watchOutput } from './output.ts'

/**
 * Vitest loads this before every test file: a test that prints something, or makes Node warn, fails. What a test expects to
 * be printed it takes with `expectOutput`.
 */
watchOutput()

beforeEach(() => refuse('before this test'))
afterEach(() => refuse('in this test'))
afterAll(() => {
  refuse('after the tests of this file')
  const replaced = takeReplaced()
  if (replaced.length > 0)
    throw new Error(`This file leaves the console replaced: ${replaced.join(', ')}. Is a server still running?`)
})

function refuse(when: string): void {
  const printed = takeOutput()
  if (printed.length > 0)
    throw new Error(
      `Unexpected output ${when}. If it belongs there, take it with expectOutput of test/support/output.ts.\n${printed.join('\n')}`,
    )
}
