import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { runVariants } from '../../src/contract/flip/index.ts'
import { FailureFinder } from '../../src/cli/commands/run-flip.ts'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const list = `await fetch(process.env.PLANTS_BASE_URL + '/plants')`
const script = (text: string) => [process.execPath, '--input-type=module', '-e', text]

test('a command that fails as it is: what it printed, and its own exit code', async () => {
  const failing = `${list}; console.log('two tests'); console.error('one failed'); process.exitCode = 7`
  const { code, stdout, stderr } = await run(['flip', '--report', 'json', '--', ...script(failing)])
  expect([code, stdout]).toEqual([7, ''])
  expect(stderr).toContain('two tests\n')
  expect(stderr).toContain('one failed\n')
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'The command fails as it is, with exit code 7: nothing was flipped. Make it pass with greenhouse-mock run first.',
  )
})

const variants = createGreenhouse().variants({ only: ['plants.*'] })
const signal = new AbortController().signal
const ended = (isBroken: boolean, hasHung = false) =>
  Promise.resolve({ code: isBroken ? 1 : 0, ms: 1, hasHung, line: undefined, output: '' })

/** Flips a command that is played, and counts its runs. */
async function flip(fails: (title: string | undefined) => boolean, hangs = false) {
  const counts = { variants: 0, asIs: 0 }
  const { results, isFlaky } = await runVariants(variants, {
    consulted: undefined,
    parallel: 2,
    signal,
    run: ({ title }) => {
      counts.variants++
      const isBroken = fails(title)
      return ended(isBroken, isBroken && hangs)
    },
    runAsIs: () => {
      counts.asIs++
      return ended(fails(undefined))
    },
  })
  const withOutcome = (outcome: string) =>
    results.filter((one) => one.outcome === outcome).map(({ variant }) => variant.title)
  return {
    breaks: [...withOutcome('breaks'), ...withOutcome('hung')],
    flaky: withOutcome('flaky'),
    isFlaky,
    counts,
  }
}

/** A coin that falls on one side so often; it is the same each time for a seed. */
function createCoin(chance: number, seed: number) {
  let state = seed * 7_919 + 17
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 < chance
  }
}

test.each([0.4, 0.6])(
  'a coin that fails %d of its runs depends on nothing: it is flaky',
  async (chance) => {
    const flips = await Promise.all(
      Array.from({ length: 200 }, (_, seed) => flip(createCoin(chance, seed + 1))),
    )
    expect(flips.filter(({ breaks }) => breaks.length > 0).length).toBeLessThanOrEqual(2)
    expect(flips.filter(({ isFlaky }) => isFlaky).length).toBeGreaterThan(190)
  },
)

test('a breaking variant fails three times, and the command passes unchanged in between', async () => {
  const [one, other] = [variants[1]!.title, variants[5]!.title]
  const { breaks, flaky, isFlaky, counts } = await flip((title) => title === one || title === other)
  expect({ breaks, flaky, isFlaky }).toEqual({ breaks: [one, other], flaky: [], isFlaky: false })
  expect(counts).toEqual({ variants: variants.length + 4, asIs: 2 })
})

test('a test that hangs runs once more', async () => {
  const one = variants[1]!.title
  const { breaks, counts } = await flip((title) => title === one, true)
  expect([breaks, counts]).toEqual([[one], { variants: variants.length + 1, asIs: 1 }])
})

test('a command that depends on everything is not run as it is for each', async () => {
  const { breaks, counts } = await flip((title) => title !== undefined)
  expect(breaks).toHaveLength(variants.length)
  expect(counts.asIs).toBe(8)
})

test('a variant that fails and then passes is flaky, and the others keep their outcome', async () => {
  const [one, other] = [variants[1]!.title, variants[5]!.title]
  let tries = 0
  const { breaks, flaky, isFlaky } = await flip(
    (title) => title === other || (title === one && ++tries < 3),
  )
  expect({ breaks, flaky, isFlaky }).toEqual({ breaks: [other], flaky: [one], isFlaky: false })
})

const find = (output: string, known?: ReadonlySet<string>) => {
  const finder = new FailureFinder(known)
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
  [
    'TAP with a message of one line',
    "not ok 1 - deletes\n  error: 'no plant'\n  name: 'Error'",
    'no plant',
  ],
  ['TAP', 'ok 1 - lists\nnot ok 2 - deletes\n# fail 1', 'not ok 2 - deletes'],
  [
    'Vitest',
    ' ❯ test/a.test.ts (2 tests | 1 failed)\n FAIL  test/a.test.ts > deletes\nAssertionError: expected 204 to be 404 // Object.is equality',
    'AssertionError: expected 204 to be 404 // Object.is equality',
  ],
  [
    'Jest',
    'FAIL ./a.test.js\n  ● deletes\n\n    Expected: 404\n    Received: 204',
    'FAIL ./a.test.js',
  ],
  [
    'pytest',
    'test_a.py F\n>   assert status == 404\nE   assert 204 == 404\nFAILED test_a.py',
    'E   assert 204 == 404',
  ],
  [
    'Go',
    '--- FAIL: TestDelete (0.00s)\n    a_test.go:9: got 204\nFAIL',
    '--- FAIL: TestDelete (0.00s)',
  ],
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
  [
    'curl',
    'one\ncurl: (22) The requested URL returned error: 404',
    'curl: (22) The requested URL returned error: 404',
  ],
  [
    'a summary of nothing wrong before what is',
    '0 errors\nno failures\nfailed: 0\nrefused by the service',
    'refused by the service',
  ],
  ['nothing that looks like a failure', 'one\ntwo\n\n', 'two'],
])('%s', (_, output, line) => {
  expect(find(output)).toBe(line)
})

test.each(['tap', 'spec'])(
  'the assertion that failed in node:test, reported as %s',
  async (reporter) => {
    const text = `import { test } from 'node:test'\nimport { deepEqual, equal } from 'node:assert/strict'
test('lists', () => {})
test('plants', async (t) => {
  await t.test('deletes', () => equal(204, 404))
  await t.test('shows', () => deepEqual({ name: 'a' }, { name: 'b' }))
})`
    const file = join(writeFolder({ 'a.test.mjs': text }), 'a.test.mjs')
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const output = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        ['--test', `--test-reporter=${reporter}`, file],
        { env },
        (_, stdout) => resolve(stdout),
      ),
    )
    expect(find(output)).toMatch(/(^|: )Expected values to be strictly equal: 204 !== 404$/)
  },
)

test('nothing printed: no line', () => {
  expect(find('\n \n')).toBeUndefined()
})

test('lines that the run that passed printed too, with other numbers, are no failures', () => {
  const passed = new FailureFinder()
  passed.read('Error: expected noise of request 1')
  expect(
    find('Error: expected noise of request 77\nError: the real one\nbye', passed.nearDuplicates),
  ).toBe('Error: the real one')
})

test('long lines are cut, and the memory of a passed run is bounded', () => {
  const finder = new FailureFinder()
  finder.read('Error: ' + 'x'.repeat(100_000))
  expect(finder.line).toHaveLength(500)
  for (let n = 0; n < 5_000; n++) finder.read(`Error: ${'abcdefghij'[n % 10]}${'x'.repeat(n)}`)
  expect(finder.nearDuplicates.size).toBeLessThanOrEqual(2_000)
})
