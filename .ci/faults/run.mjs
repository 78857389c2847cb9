// Applies one fault at a time to a copy of the repository, builds that unless the tests run the
// source, and runs the tests that must fail. Exit code 1: none failed for a fault. `node
// .ci/faults/run.mjs [WORD…]` runs faults whose names contain a word.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execute } from '../programs.mjs'
import { faults } from './faults.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const words = process.argv.slice(2)
const chosen = faults.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
if (chosen.length === 0) {
  console.error(
    `There is no such fault. There are:\n${faults.map(({ name }) => `  ${name}`).join('\n')}`,
  )
  process.exit(2)
}

/** In milliseconds: tests that hang are red. */
const patience = 900_000

const copy = mkdtempSync(join(tmpdir(), 'greenhouse-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
await copyRepository()
for (const { edits, after = [] } of chosen) [...edits, ...after].forEach(changed)
const script = join(copy, 'build/build.mjs')
const failure = await build()
if (failure !== undefined) fail(`Without a fault, the build fails: ${failure}`)
for (const isSource of [undefined, true]) {
  const tests = chosen
    .filter((fault) => fault.isSource === isSource)
    .flatMap((fault) => fault.tests)
  if (tests.length === 0) continue
  const { red, output } = await runTests([...new Set(tests)], isSource)
  if (red.length > 0) fail(`These are red without a fault:\n${[...red, output].join('\n')}`)
}
keepTypes()

const rows = []
for (const fault of chosen) {
  const { red, output } = await withFault(fault)
  rows.push({ fault: fault.name, red: red.length > 0 ? red.slice(0, 2).join('; ') : 'ESCAPED' })
  console.error(`${rows.at(-1).red === 'ESCAPED' ? 'ESCAPED' : 'red'}: ${fault.name}`)
  if (red.length === 0) console.error(output)
}
console.log(
  [
    '| fault | red |',
    '| --- | --- |',
    ...rows.map(({ fault, red }) => `| ${fault} | ${red} |`),
  ].join('\n'),
)
const escaped = rows.filter(({ red }) => red === 'ESCAPED').length
console.log(`\n${rows.length - escaped} of ${rows.length} faults are seen.`)
process.exitCode = escaped > 0 ? 1 : 0

/**
 * Copies all files that git tracks or would add, and links the packages of `node_modules`: the copy
 * has its own cache.
 */
async function copyRepository() {
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    root,
  )
  for (const file of stdout.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
}

/**
 * Reuses the declarations of the first build: they take half of a build, and no fault changes them.
 */
function keepTypes() {
  const kept = join(copy, 'node_modules/.cache/types')
  cpSync(join(copy, 'dist/types'), kept, { recursive: true })
  writeFileSync(
    join(copy, 'build/types.mjs'),
    `import { cpSync } from 'node:fs'\nexport const buildTypes = (_, folder) => cpSync(${JSON.stringify(kept)}, folder, { recursive: true })\n`,
  )
}

async function withFault({ before = {}, edits, after = [], tests, isSource }) {
  const kept = new Map(
    [...edits, ...after].map(({ file }) => [file, readFileSync(join(copy, file))]),
  )
  for (const [file, text] of Object.entries(before)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  try {
    edits.forEach(apply)
    const reason = isSource ? undefined : await build()
    if (reason !== undefined) return { red: [`the build: ${reason}`], output: '' }
    after.forEach(apply)
    return await runTests(tests, isSource)
  } finally {
    for (const [file, text] of kept) writeFileSync(join(copy, file), text)
    // What is left of a build would hide that the next one writes less. Faults of the source come
    // first, and have that of the start.
    if (!isSource) rmSync(join(copy, 'dist'), { recursive: true, force: true })
  }
}

/**
 * Builds the copy. Returns why it failed, if it did: the line of the output that names the error.
 */
async function build() {
  const { code, stderr } = await run(process.execPath, [script])
  if (code === 0) return undefined
  const lines = stderr.trim().split('\n')
  return (lines.find((line) => /^\w*Error: (?!Build failed)/.test(line)) ?? lines[0]).trim()
}

function apply(change) {
  writeFileSync(join(copy, change.file), changed(change))
}

/**
 * Returns the text of a file with a change. @throws Error if the place is not in the file exactly
 * once
 */
function changed({ file, find, put }) {
  const text = readFileSync(join(copy, file), 'utf8')
  if (text.split(find).length !== 2)
    throw new Error(`${file} has ${JSON.stringify(find)} not once: mend the fault.`)
  return text.replace(find, () => put)
}

/**
 * Runs test files, and returns the names of the failing tests. @param isSource tests the source,
 * without a build before them
 */
async function runTests(files, isSource) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const flags = [
    '--bail=1',
    '--testTimeout=150000',
    '--hookTimeout=150000',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files, ...flags]
  const { code, output, hangs } = await run(
    process.execPath,
    args,
    copy,
    isSource && { TEST_TARGET: 'src' },
  )
  if (code === 0) return { red: [], output }
  if (hangs) return { red: [`${files.join(' ')} hang`], output }
  const { testResults = [] } = JSON.parse(
    readFileSync(report, { encoding: 'utf8', flag: 'a+' }) || '{}',
  )
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed')
    if (failed.length > 0 || status !== 'failed') return failed
    return { title: `all of ${name.slice(copy.length + 1)}`, failureMessages: [message] }
  })
  if (failures.length === 0) throw new Error(`The tests did not run: ${output}`)
  return {
    red: failures.map(({ title }) => title),
    output: failures.flatMap(({ failureMessages }) => failureMessages).join('\n'),
  }
}

function run(program, args, cwd = copy, more = {}) {
  // In CI, Vitest's configuration names a report of its own.
  return execute(program, args, {
    cwd,
    env: { ...process.env, CI: '', NO_COLOR: '1', ...more },
    timeout: patience,
  })
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
