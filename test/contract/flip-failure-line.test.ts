import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFailureFinder } from '../../src/contract/flip/index.ts'
import { writeFolder } from '../support/folder.ts'

const find = (output: string, known?: ReadonlySet<string>) => {
  const finder = createFailureFinder(known)
  for (const line of output.split('\n')) finder.read(line)
  return finder.line
}

test.each<[runner: string, output: string, line: string]>([
  [
    'Node',
    '/x/client.mjs:4\n    throw new Error(text)\n    ^\n\nError: no name\n    at f (x.js:1)\n\nNode.js v22',
    'Error: no name',
  ],
  [
    'assert',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n204 !== 404\n\n    at x',
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 204 !== 404',
  ],
  [
    'node:test',
    '✔ lists (2ms)\n✖ deletes (3ms)\nℹ tests 2\nℹ fail 1\n\n  AssertionError: 204 is not 404',
    'AssertionError: 204 is not 404',
  ],
  [
    'node:test as TAP',
    "    not ok 1 - deletes\n      ---\n      duration_ms: 1.2\n      failureType: 'testCodeFailure'\n      error: |-\n        Expected values to be strictly equal:\n        \n        204 !== 404\n        \n      code: 'ERR_ASSERTION'\nnot ok 1 - a.test.mjs\n  error: '1 subtest failed'",
    'Expected values to be strictly equal: 204 !== 404',
  ],
  ['TAP with a message of one line', "not ok 1 - deletes\n  error: 'no plant'\n  name: 'Error'", 'no plant'],
  ['TAP', 'ok 1 - lists\nnot ok 2 - deletes\n# fail 1', 'not ok 2 - deletes'],
  [
    'Vitest',
    ' ❯ test/a.test.ts (2 tests | 1 failed)\n FAIL  test/a.test.ts > deletes\nAssertionError: expected 204 to be 404 // Object.is equality',
    'AssertionError: expected 204 to be 404 // Object.is equality',
  ],
  ['Jest', 'FAIL ./a.test.js\n  ● deletes\n\n    Expected: 404\n    Received: 204', 'FAIL ./a.test.js'],
  ['pytest', 'test_a.py F\n>   assert status == 404\nE   assert 204 == 404\nFAILED test_a.py', 'E   assert 204 == 404'],
  ['Go', '--- FAIL: TestDelete (0.00s)\n    a_test.go:9: got 204\nFAIL', '--- FAIL: TestDelete (0.00s)'],
  [
    'JUnit',
    'org.opentest4j.AssertionFailedError: expected: <404> but was: <204>',
    'org.opentest4j.AssertionFailedError: expected: <404> but was: <204>',
  ],
  [
    'Rust',
    "running 1 test\nthread 'main' panicked at src/a.rs:3\nassertion failed: left == right",
    'assertion failed: left == right',
  ],
  ['curl', 'one\ncurl: (22) The requested URL returned error: 404', 'curl: (22) The requested URL returned error: 404'],
  [
    'a summary of nothing wrong before what is',
    '0 errors\nno failures\nfailed: 0\nrefused by the service',
    'refused by the service',
  ],
  ['nothing that looks like a failure', 'one\ntwo\n\n', 'two'],
])('%s', (_, output, line) => {
  expect(find(output)).toBe(line)
})

test.each(['tap', 'spec'])('the assertion that failed in node:test, reported as %s', async (reporter) => {
  const text = `import { test } from 'node:test'\nimport { deepEqual, equal } from 'node:assert/strict'
test('lists', () => {})
test('plants', async (t) => {
  await t.test('deletes', () => equal(204, 404))
  await t.test('shows', () => deepEqual({ name: 'a' }, { name: 'b' }))
})`
  const file = join(writeFolder({ 'a.test.mjs': text }), 'a.test.mjs')
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, ['--test', `--test-reporter=${reporter}`, file], { env }, (_, stdout) =>
      resolve(stdout),
    ),
  )
  expect(find(output)).toMatch(/(^|: )Expected values to be strictly equal: 204 !== 404$/)
})

test('nothing printed: no line', () => {
  expect(find('\n \n')).toBeUndefined()
})

test('lines that the run that passed printed too, with other numbers, are no failures', () => {
  const passed = createFailureFinder()
  passed.read('Error: expected noise of request 1')
  expect(find('Error: expected noise of request 77\nError: the real one\nbye', passed.nearDuplicates)).toBe(
    'Error: the real one',
  )
})

test('a line of any length is cut, and what is remembered of a run that passed is bounded', () => {
  const finder = createFailureFinder()
  finder.read('Error: ' + 'x'.repeat(100_000))
  expect(finder.line).toHaveLength(500)
  for (let n = 0; n < 5_000; n++) finder.read(`Error: ${'abcdefghij'[n % 10]}${'x'.repeat(n)}`)
  expect(finder.nearDuplicates.size).toBeLessThanOrEqual(2_000)
})
