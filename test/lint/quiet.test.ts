import { expect, test } from 'vitest'
import { expectOutput, takeOutput } from '../support/output.ts'

test('whatever a test prints, and whatever Node warns of, is kept for the test to expect', async () => {
  console.error('one', { two: 2 })
  process.stderr.write('three\n')
  process.stdout.write(Buffer.from('four\n'))
  process.emitWarning('five')
  await new Promise((resolve) => setImmediate(resolve))
  expectOutput(
    /^console\.error: one \{ two: 2 \}$/,
    /^stderr: three\n$/,
    /^stdout: four\n$/,
    /^warning: Warning: five\n/,
  )
})

test('what is printed and not expected is still there when the test ends, and fails it', () => {
  console.warn('unexpected')
  expect(() => expectOutput()).toThrow()
  console.warn('unexpected')
  expect(takeOutput()).toEqual(['console.warn: unexpected'])
})
