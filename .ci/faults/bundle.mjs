// Makes one fault after the other in a copy of the repository, builds it, and runs the tests that must see it. A fault that no test
// sees ends with exit code 1. `node .ci/faults/bundle.mjs [WORD…]` makes those whose names have one of the words.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faults } from './faults.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const words = process.argv.slice(2)
const chosen = faults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
if (chosen.length === 0) {
  console.error(`There is no such fault. There are:\n${faults.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(2)
}

const copy = mkdtempSync(join(tmpdir(), 'greenhouse-faults-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
copyRepository()
for (const { edits, after = [] } of chosen) [...edits, ...after].forEach(changed)

const sound = runTests([...new Set(chosen.flatMap(({ tests }) => tests))])
if (sound.red.length > 0) {
  console.error(`These are red without a fault:\n${[...sound.red, sound.output].join('\n')}`)
  process.exit(1)
}

const rows = []
for (const fault of chosen) {
  const { red, output } = withFault(fault)
  rows.push({ fault: fault.name, red: red.length > 0 ? red.slice(0, 2).join('; ') : 'ESCAPED' })
  console.error(`${rows.at(-1).red === 'ESCAPED' ? 'ESCAPED' : 'red'}: ${fault.name}`)
  if (red.length === 0) console.error(output)
}
console.log(['| fault | red |', '| --- | --- |', ...rows.map(({ fault, red }) => `| ${fault} | ${red} |`)].join('\n'))
const escaped = rows.filter(({ red }) => red === 'ESCAPED').length
console.log(`\n${rows.length - escaped} of ${rows.length} faults are seen.`)
process.exitCode = escaped > 0 ? 1 : 0

/** Everything that git knows or would add, and our `node_modules`, linked, with a cache of its own. */
function copyRepository() {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of stdout.split('\0').filter(Boolean)) cpSync(join(root, file), join(copy, file))
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name))
}

function withFault({ before = {}, edits, after = [], tests }) {
  const kept = new Map([...edits, ...after].map(({ file }) => [file, readFileSync(join(copy, file))]))
  for (const [file, text] of Object.entries(before)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
  try {
    edits.forEach(apply)
    const built = spawnSync(process.execPath, ['build/build.mjs'], { cwd: copy, encoding: 'utf8' })
    if (built.status !== 0)
      return {
        red: [
          `the build: ${built.stderr
            .trim()
            .split('\n')
            .find((line) => /error/i.test(line))}`,
        ],
        output: '',
      }
    after.forEach(apply)
    return runTests(tests)
  } finally {
    for (const [file, text] of kept) writeFileSync(join(copy, file), text)
    rmSync(join(copy, 'dist'), { recursive: true, force: true })
  }
}

function apply(change) {
  writeFileSync(join(copy, change.file), changed(change))
}

/** The text of a file with a change. @throws Error when it has no such place, or several */
function changed({ file, find, replace }) {
  const text = readFileSync(join(copy, file), 'utf8')
  if (text.split(find).length !== 2) throw new Error(`${file} has ${JSON.stringify(find)} not once: mend the fault.`)
  return text.replace(find, () => replace)
}

/** Runs these test files, and gives the names of the tests that are red. */
function runTests(files) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', ...files, '--reporter=json', `--outputFile=${report}`],
    { cwd: copy, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 2 ** 28 },
  )
  if (status === 0) return { red: [], output: '' }
  const { testResults = [] } = JSON.parse(readFileSync(report, { encoding: 'utf8', flag: 'a+' }) || '{}')
  const red = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed').map(({ title }) => title)
    return failed.length > 0 || status !== 'failed' ? failed : [`all of ${name.slice(copy.length + 1)}`]
  })
  return { red: red.length > 0 ? red : ['the tests did not run'], output: stdout + stderr }
}
