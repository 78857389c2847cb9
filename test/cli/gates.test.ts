import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { coverageOf, mergeEvidence } from 'greenhouse-mock/evidence'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'
import { readJunit } from '../support/junit.ts'
import { times } from '../support/soak.ts'
import { expectWrongUse, runScript } from './server.ts'

const nothing = mergeEvidence([])
const cells = coverageOf(nothing, createGreenhouse())
const request = { entry: 7, world: 'default', request: 'GET /plants?limt=3', status: 200 }
const names = nothing.card.rules.map(({ rule }) => rule)

/** What a run writes whose client breaks these rules, and the contract so many times. */
function writeShard(
  broken: readonly string[] = [],
  violations = 0,
  counts: Record<string, number> = {},
): string {
  const rules = nothing.card.rules.map((grade) => ({
    ...grade,
    ...(broken.includes(grade.rule) && {
      result: 'failed',
      failed: 1,
      examples: [{ message: 'did it', requests: [request] }],
    }),
  }))
  const ways = Array.from({ length: violations }, (_, at) => ({
    rule: 'unknown-query',
    operation: 'plants.list',
    message: `"limt${at}" is no parameter.`,
    count: 1,
    requests: [request],
  }))
  return writeFolder({
    'coverage.json': JSON.stringify({ ...cells, counts: { ...cells.counts, ...counts } }),
    'report-card.json': JSON.stringify({ requests: 1, rules }),
    'violations.json': JSON.stringify({ violations, ways }),
    summary: '',
  })
}

/** Runs a command as a step of GitHub Actions, and reads everything that it says of its gates. */
async function judge(
  words: readonly string[],
  start: (words: string[], options: object) => Promise<any> = run,
) {
  const folder = writeFolder({ summary: '' })
  const out = join(folder, 'out')
  const env = {
    ...process.env,
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  }
  const { code, stdout, stderr } = await start([...words, '--artifacts', out], { env })
  const written = Object.fromEntries(
    readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]),
  )
  const junit = Object.keys(written).filter((name) => name.endsWith('.junit.xml'))
  return {
    code,
    text: stdout + stderr,
    written,
    json: JSON.parse(written['gates.json']!),
    summary: readFileSync(join(folder, 'summary'), 'utf8'),
    failures: Object.fromEntries(
      junit.map((name) => [name.replace('.junit.xml', ''), readJunit(written[name]!)]),
    ),
    annotations: stderr.split('\n').filter((line: string) => line.startsWith('::error')),
  }
}

interface Gate {
  readonly flags: string
  readonly shard: () => string
  readonly code: number
  /** The report with what failed it, and its first failure. */
  readonly report: string
  readonly failure: string
}

const gates: Readonly<Record<string, Gate>> = {
  'a violation': {
    flags: '--fail-on violations',
    shard: () => writeShard([], 1),
    code: 4,
    report: 'violations',
    failure: 'plants.list: unknown-query: "limt0" is no parameter.: once: GET /plants?limt=3',
  },
  'low coverage': {
    flags: '--min-coverage 50',
    shard: () => writeShard(),
    code: 3,
    report: 'coverage',
    failure: `coverage: --min-coverage 50: 0.0 % seen, 0 of ${cells.cells} cells`,
  },
  'any rule of the card': {
    flags: '--fail-on failed',
    shard: () => writeShard(['gives-up']),
    code: 4,
    report: 'report-card',
    failure: 'gives-up: Gives up after at most 10 tries: did it: GET /plants?limt=3 200. ',
  },
  ...Object.fromEntries(
    // Its rules are alike.
    nothing.card.rules.slice(0, times(100, 2)).map(({ rule, title }) => [
      `the rule ${rule}`,
      {
        flags: `--fail-on ${rule}`,
        shard: () => writeShard(names.filter((name) => name === rule)),
        code: 4,
        report: 'report-card',
        failure: `${rule}: ${title}: did it: GET /plants?limt=3 200. `,
      },
    ]),
  ),
}

test.each(Object.entries(gates))(
  '%s fails a run in every format',
  async (_, { flags, shard, code, report, failure }) => {
    const found = await judge(['coverage', 'merge', shard(), ...flags.split(' ')])
    const [gate] = found.json.gates
    expect(found.json).toEqual({
      exit_code: code,
      gates: [{ gate: flags, passed: false, exit_code: code, why: gate.why }],
    })
    const message = `${flags} failed: ${gate.why}`
    expect(found.code).toBe(code)
    expect(found.text).toContain(`${message}.\n`)
    expect(found.written['gates.md']).toContain(`| ✗ failed | \`${flags}\` | ${code} | `)
    expect(found.written['coverage.html']).toContain(`<h1>Exit code ${code}: ${message}</h1>`)
    expect(found.summary).toContain(found.written['gates.md'])
    expect(found.failures['gates']).toEqual([`gates: ${flags}: ${gate.why}`])
    expect(found.failures[report]).toEqual([expect.stringContaining(failure)])
    expect(found.annotations).toHaveLength(1)
    expect(found.text).toContain(`::notice title=gates::Exit code ${code}: `)
  },
)

test.each(Object.entries(gates))('%s fails nothing without its flag', async (_, { shard }) => {
  const found = await judge(['coverage', 'merge', shard()])
  expect(found.json).toEqual({ exit_code: 0, gates: [] })
  expect(found.code).toBe(0)
  expect(Object.values(found.failures).flat()).toEqual([])
  expect(found.annotations).toEqual([])
})

test('a command that fails does so in every format, before the gates', async () => {
  const found = await judge(['--fail-on', 'violations'], ([...flags], options) =>
    runScript(`await ask('/plants?limt=3'); process.exit(7)`, flags, options),
  )
  expect(found.code).toBe(7)
  expect(found.json).toMatchObject({
    exit_code: 7,
    gates: [
      { gate: 'the command', passed: false, exit_code: 7, why: 'exit code 7' },
      { gate: '--fail-on violations', passed: false, exit_code: 4 },
    ],
  })
  expect(found.failures['gates']).toEqual([
    'gates: the command: exit code 7',
    'gates: --fail-on violations: 1 violation of the contract',
  ])
  expect(found.annotations).toEqual([
    expect.stringMatching(/^::error title=plants.list::unknown-query: /),
    '::error title=gates::the command: exit code 7',
  ])
  expect(found.text).toContain('the command failed: exit code 7.\n')
  expect(found.summary).toContain('| ✗ failed | `the command` | 7 | exit code 7 |')
})

test('a rule that is ignored fails no run', async () => {
  const shard = writeShard(['gives-up', 'backs-off'])
  const all = await judge([
    'coverage',
    'merge',
    shard,
    '--fail-on',
    'failed',
    '--ignore-rule',
    'backs-off',
  ])
  expect(all.failures['report-card']).toEqual([expect.stringContaining('gives-up: ')])
  const words = ['coverage', 'merge', shard, '--fail-on', 'failed', '--fail-on', 'contract']
  expect((await judge([...words, '--ignore-rule=backs-off', '--ignore-rule=gives-up'])).code).toBe(
    0,
  )
})

test.each([
  ['--fail-on backs-of', 'Did you mean "backs-off"?'],
  ['--fail-on violation', 'Did you mean "violations"?'],
  ['--ignore-rule give-up', 'Did you mean "gives-up"?'],
  ['--ignore-violation missing-keys', 'Did you mean "missing-key"?'],
  ['--fail-on contract --ignore-rule contract', 'not together with --fail-on contract'],
])('%s is refused', async (flags, message) => {
  await expectWrongUse(['coverage', 'merge', writeShard(), ...flags.split(' ')], message)
})

test('every violation is in the files, and the first in the text, with a count of the others', async () => {
  const { text, written } = await judge([
    'coverage',
    'merge',
    writeShard([], 30),
    '--fail-on',
    'violations',
  ])
  expect(text.match(/is no parameter\.\n/g)).toHaveLength(20)
  expect(text).toContain('… and 10 more: --artifacts DIR lists all.\n')
  for (const name of ['violations.json', 'violations.md', 'violations.junit.xml'])
    expect(new Set(written[name]!.match(/limt\d+/g)), name).toHaveLength(30)
})

test('shards add up: what one has seen counts for all', async () => {
  const shards = [
    writeShard([], 1, { 'plants.list/200': 2 }),
    writeShard([], 2, { 'plants.list/200': 1, 'plants.list/429': 1 }),
  ]
  const { code, written, text } = await judge([
    'coverage',
    'merge',
    ...shards,
    '--coverage-only',
    'plants.list',
  ])
  expect(code).toBe(0)
  expect(JSON.parse(written['coverage.json']!)).toMatchObject({
    seen: 2,
    counts: { 'plants.list/200': 3, 'plants.list/429': 1, 'plants.list/500': 0 },
  })
  expect(text).toMatch(/^Error paths: 15\.3 % seen, 2 of 13 cells\.\n/)
  const both = await judge(['coverage', 'merge', ...shards, '--report-card'])
  expect(JSON.parse(both.written['violations.json']!)).toMatchObject({ violations: 3 })
})

test.each([
  [
    'of a folder without a report',
    {},
    /^Failed to read \S+coverage\.json: no such file or directory\./,
  ],
  [
    'of another file',
    { 'coverage.json': '[]' },
    /expected a report that run --artifacts DIR wrote/,
  ],
])('the coverage %s can not be merged', async (_, files, message) => {
  await expectWrongUse(['coverage', 'merge', writeFolder(files)], message)
})

test('each flag of a gate has its variable', async () => {
  const words = ['coverage', 'merge', writeShard(['gives-up', 'backs-off'], 1)]
  const judgeWith = async (env: object) => {
    const { code, stdout, stderr } = await run(words, {
      env: { PATH: process.env['PATH'], ...env } as NodeJS.ProcessEnv,
    })
    return { code, text: stdout + stderr }
  }
  expect(await judgeWith({ GREENHOUSE_FAIL_ON: 'gives-up,contract' })).toMatchObject({ code: 4 })
  expect(
    await judgeWith({ GREENHOUSE_FAIL_ON: 'failed', GREENHOUSE_IGNORE_RULE: 'gives-up,backs-off' }),
  ).toMatchObject({ code: 0 })
  expect(await judgeWith({ GREENHOUSE_FAIL_ON_VIOLATIONS: 'true' })).toMatchObject({ code: 4 })
  expect(
    await judgeWith({
      GREENHOUSE_FAIL_ON: 'violations',
      GREENHOUSE_IGNORE_VIOLATION: 'unknown-query',
    }),
  ).toMatchObject({ code: 0 })
  expect(await judgeWith({ GREENHOUSE_MIN_COVERAGE: '50' })).toMatchObject({ code: 3 })
  expect((await judgeWith({ GREENHOUSE_MIN_COVERAGE: 'much' })).text).toContain(
    'GREENHOUSE_MIN_COVERAGE: expected a percentage',
  )
  expect((await judgeWith({ GREENHOUSE_REPORT_CARD: 'true' })).text).toContain(
    'Report card, from 1 request:',
  )
})
