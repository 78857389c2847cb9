import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import { takeOutput, replacedMethods, watchOutput } from './output.ts'

/**
 * Vitest loads this before every test file: a test that prints something, or makes Node warn,
 * fails. What a test expects to be printed it takes with `expectOutput`.
 */
watchOutput()

beforeEach(() => rejectOutput('before this test'))
afterEach(() => rejectOutput('in this test'))
afterAll(async () => {
  rejectOutput('after the tests of this file')
  // A server that was cut off by a second signal still closes.
  await vi.waitFor(() => {
    if (replacedMethods().length > 0)
      throw new Error('The console stays replaced. Is a server still running?')
  }, 120_000)
})

function rejectOutput(when: string): void {
  const printed = takeOutput()
  if (printed.length > 0)
    throw new Error(
      `Unexpected output ${when}. If it belongs there, take it with expectOutput of test/support/output.ts.\n${printed.join('\n')}`,
    )
}
