// Runs the package, as npm packs it, with every supported runner, msw, Node and TypeScript, and
// writes the results to docs/compatibility.md. `npm run matrix`, `npm run matrix -- --only
// 'jest.*node-24'`, `npm run matrix -- --diagonal`, `npm run matrix -- --wide-diagonal`.
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findNode, install, pack, versionIn } from '../programs.mjs'
import { cells, diagonal, packagesOf, rowOf, wideDiagonal } from './dimensions.mjs'
import { runCell } from './kinds.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Outside of this repository, so that a consumer finds only packages that our package contains or
// names.
const work = process.env.CI_MATRIX ?? join(tmpdir(), 'greenhouse-matrix')
const results = fileURLToPath(new URL('results.json', import.meta.url))

/**
 * Known reasons why a cell cannot pass. A reason counts only if the output of the same run contains
 * its text.
 */
const reasons = [
  {
    when: ({ msw, node }) => msw === '3' && node === '20',
    says: /msw 3\.[\d.]+: it runs on Node 22\.12 or later, and this is Node 20/,
    reason: 'msw 3 needs Node 22.12 or later',
  },
  {
    when: ({ runner, msw, node }) => runner === 'vitest-5' && msw === '3' && node === '20',
    says: /Map\.groupBy is not a function/,
    reason: 'msw 3 needs Node 22.12 or later, and Vitest 5 cannot print that error in Node 20',
  },
  {
    when: ({ environment, msw }) => environment === 'jsdom' && msw === '3',
    says: /Expected signal \("AbortSignal \{\}"\) to be an instance of AbortSignal/,
    reason:
      "msw 3 hands the AbortSignal of jsdom to Node's own Request, which refuses it; so it does without Greenhouse. Use happy-dom, or msw 2.",
  },
  {
    when: ({ runner, environment, msw }) =>
      runner.startsWith('typescript-') && /node16|nodenext|node10/.test(environment) && msw === '3',
    says: /TS1479[^]*import\("msw|Cannot find module 'msw\/node'/,
    reason:
      'msw 3 is an ES module: CommonJS of this TypeScript and module resolution cannot import it',
  },
  {
    when: ({ runner, environment }) =>
      runner === 'typescript-7' && environment.startsWith('node10'),
    says: /TS5108: Option 'moduleResolution=node10' has been removed/,
    reason: 'TypeScript 7 has no moduleResolution node10',
  },
  {
    when: ({ runner, environment }) => runner === 'vitest-3.2' && environment === 'vmThreads',
    says: /request for '[^']+' (is not in cache|is from a module not been linked|can not be resolved on module)/,
    reason:
      "`createTest({ plants, apps })` fails in the pool vmThreads of Vitest 3: it can't load msw/node later on. `createHandlers` in a `setupServer` of your own, and `test` with its server, pass.",
  },
  {
    when: ({ runner, environment, node }) =>
      runner === 'vitest-5' && environment === 'vmThreads' && node === '20',
    says: /A dynamic import callback was not specified[^]*resolveSnapshotEnvironment/,
    reason:
      "Vitest 5's pool vmThreads fails in Node 20 as soon as a worker runs a second file, also without Greenhouse: `A dynamic import callback was not specified`.",
  },
]

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    diagonal: { type: 'boolean' },
    'wide-diagonal': { type: 'boolean' },
    list: { type: 'boolean' },
    jobs: { type: 'string', default: '2' },
    // Does not write the page and results.json.
    'dry-run': { type: 'boolean' },
  },
})
const patterns = (values.only ?? []).map((text) => new RegExp(text))
const few = values['wide-diagonal'] ? wideDiagonal : values.diagonal ? diagonal : undefined
const chosen = cells.filter(
  ({ name }) => (!few || few.includes(name)) && patterns.every((pattern) => pattern.test(name)),
)
if (values.list) {
  console.log(chosen.map(({ name }) => name).join('\n'))
  process.exit()
}
if (chosen.length === 0) throw new Error('No cell fits. npm run matrix -- --list prints them all.')

const today = new Date().toISOString().slice(0, 10)
const started = Date.now()
const tarball = pack(root, work)
const seen = []
for (const folder of new Set(chosen.map(folderOf))) {
  const here = chosen.filter((cell) => folderOf(cell) === folder)
  const path = join(work, few ? `diagonal-${folder}` : folder)
  const packages = packagesOf(few ? here : cells.filter((cell) => folderOf(cell) === folder))
  install(path, packages, tarball)
  const versions = Object.fromEntries(
    Object.keys(packages).map((name) => [name, versionIn(path, name)]),
  )
  const waiting = [...here]
  const worker = async () => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const { passed, output, note } = await runCell(cell, path, findNode(cell.node), tarball)
      const reason = passed
        ? note
        : reasons.find(({ when, says }) => when(cell) && says.test(output))?.reason
      const outcome = passed ? 'passed' : reason ? 'cannot' : 'failed'
      console.log(`${outcome.padEnd(7)} ${cell.name}${reason ? `: ${reason}` : ''}`)
      if (outcome === 'failed') console.log(output.replace(/^/gm, '    ').slice(-4_000))
      seen.push({
        cell,
        outcome,
        result: { outcome, ...(reason && { reason }), date: today },
        versions,
      })
      if (!values['dry-run'] && !few) save()
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker))
}

const count = (outcome) => seen.filter((cell) => cell.outcome === outcome).length
console.log(
  `${count('passed')} passed, ${count('cannot')} cannot be, ${count('failed')} failed, in ${Math.round((Date.now() - started) / 1000)} s`,
)
process.exitCode = count('failed') > 0 ? 1 : 0

/**
 * Merges the new results into the earlier ones, after each cell, because a run may be interrupted.
 */
function save() {
  const rows = new Map(JSON.parse(readFileSync(results, 'utf8')).map((row) => [row.row, row]))
  for (const { cell, result, versions } of seen) {
    const row = rowOf(cell)
    const nodes = { ...rows.get(row)?.nodes, [cell.node]: result }
    rows.set(row, { row, versions: versionsFor(cell, versions), nodes })
  }
  // In the order of the cells, without those that are gone.
  const all = [...new Set(cells.map(rowOf))].flatMap((row) => rows.get(row) ?? [])
  writeFileSync(results, `[\n${all.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
}

function folderOf({ generation, msw, environment }) {
  if (generation === 'stacks') return `stack-${environment}`
  return ['types', 'older', 'globals'].includes(generation)
    ? generation
    : `${generation}-msw-${msw}`
}

/** Returns the exact versions of a cell's runner, environment and msw. */
function versionsFor({ runner, environment }, versions) {
  const names =
    {
      vitest: ['vitest'],
      jest: ['jest'],
      next: ['next'],
      mocha: ['mocha'],
      playwright: ['@playwright/test'],
      typescript: ['typescript'],
      attw: ['@arethetypeswrong/cli'],
    }[runner.split('-')[0]] ?? []
  const extra = ['jsdom', 'happy-dom', 'ts-jest', 'jest-expo'].filter(
    (name) => name === environment,
  )
  return Object.fromEntries(
    [...names, ...extra, 'msw']
      .filter((name) => versions[name])
      .map((name) => [name, versions[name]]),
  )
}
