import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutations } from './mutations.mjs'

/**
 * Applies one mutation of an adapter at a time to a copy of the project, and runs the adapters' tests there: a test
 * must fail for each. Run it after a build. Arguments select mutations: `node .ci/faults/adapters.mjs Express latin1`.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The tests in order, quick ones first; after a failure, later stages do not run. */
const stages = [
  ['raw', 'left-to-others', 'aborts', 'operations', 'replies'].map((name) => `test/parity/${name}.test.ts`),
  ['test/parity/scenarios.test.ts', 'test/parity/random.test.ts'],
  ['test/adapters', 'test/guard', 'test/environment/given-up', 'test/scenarios/switching/msw'],
]

/** Tests that run the built package: the user's own handlers of the command. */
const builtStages = [['test/cli/handlers']]

/** The time limit for the tests of one mutation, in milliseconds; a hang counts as a failure. */
const patience = 600_000

const words = process.argv.slice(2)
const chosen = mutations.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word)))
const copy = mkdtempSync(join(tmpdir(), 'greenhouse-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const copied = [
  'src',
  'test',
  'build',
  'fixtures',
  'scenarios',
  'dist',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
]
for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(resolve(root, 'node_modules'), join(copy, 'node_modules'))
for (const name of ['docs', 'examples', 'README.md']) symlinkSync(resolve(root, name), join(copy, name))

const script = join(copy, 'build/build.mjs')
const build = readFileSync(script, 'utf8')

const unbroken = await redOf([[...new Set(chosen.map(({ noticed }) => noticed))]], false)
if (unbroken) {
  console.error(`The tests fail without a mutation: ${unbroken}`)
  process.exit(1)
}

let escaped = 0
const width = Math.max(...chosen.map(({ what }) => what.length))
for (const { what, noticed, file, find, put, built = false } of chosen) {
  const path = join(copy, 'src', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(find).length !== 2)
    throw new Error(`${file} has ${JSON.stringify(find)} not once: mend the mutation "${what}".`)
  writeFileSync(
    path,
    source.replace(find, () => put),
  )
  const red = await redOf([[noticed], ...(built ? builtStages : stages)], built)
  writeFileSync(path, source)
  if (!red) escaped++
  console.log(`${what.padEnd(width)}  ${red ?? 'ESCAPED'}`)
}
console.log(`${chosen.length} mutations, ${escaped} escaped`)
process.exitCode = escaped > 0 ? 1 : 0

/** Returns the first failing test, if any. Builds only if `built`: a build takes as long as the tests of the source. */
async function redOf(stages, built) {
  writeFileSync(script, built ? build : '')
  for (const files of stages) {
    const red = await runTests(files, built ? {} : { GREENHOUSE_TEST: 'src' })
    if (red) return red
  }
  return undefined
}

function runTests(files, environment) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
  const flags = [
    '--bail=1',
    '--reporter=json',
    `--outputFile=${report}`,
    '--testTimeout=150000',
    '--hookTimeout=150000',
  ]
  const child = spawn(process.execPath, [vitest, 'run', ...files, ...flags], {
    cwd: copy,
    // In CI, the configuration names a report of its own.
    env: { ...process.env, CI: '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: patience,
    killSignal: 'SIGKILL',
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += chunk))
  return new Promise((done, fail) => {
    child.on('close', (code, signal) => {
      if (code === 0) return done(undefined)
      if (signal) return done(`the tests hang (${files.join(' ')})`)
      const red = firstRed(report)
      if (red) return done(red)
      fail(new Error(`Vitest ended with ${code}, and no test is red:\n${stderr}`))
    })
  })
}

function firstRed(report) {
  let results
  try {
    results = JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return undefined
  }
  for (const { name, status, assertionResults } of results) {
    const file = name.replace(copy, '').replace(/^\//, '')
    const failed = assertionResults.find((one) => one.status === 'failed')
    if (failed) return `${file}: ${failed.fullName}`
    if (status === 'failed' && assertionResults.length === 0) return file
  }
  return undefined
}
