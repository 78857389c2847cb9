// Mutation test: applies small changes to the source, one at a time, and checks that a test fails.
// Usage, with the defaults: `node .ci/mutation/run.mjs --sample 1500`. --seed N selects another
// sample; --only core,clock.ts a part of it; --workers N, --minutes N and --budget SECONDS (of a
// processor, for one mutant) limit it; --survivors leaves out the mutants that the last run killed.
// Writes report.json into node_modules/.cache/greenhouse/mutation.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installOwn } from '../programs.mjs'
import { learnCoverage, orderTests, runJobs } from './jobs.mjs'
import { cache, currentFolder, folders, instrument, takeSample } from './mutants.mjs'

const goals = { all: 90, core: 95 }

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '0' },
    budget: { type: 'string', default: '45' },
    survivors: { type: 'boolean', default: false },
  },
})

installOwn()
const startedAt = Date.now()
const seed = Number(values.seed)
const minutes = () => Number(((Date.now() - startedAt) / 60_000).toFixed(1))
const options = {
  folder: currentFolder(),
  workers: Number(values.workers),
  budget: values.budget,
  ...(Number(values.minutes) > 0 && { endsAt: startedAt + Number(values.minutes) * 60_000 }),
}
mkdirSync(options.folder, { recursive: true })

const all = await instrument(options.folder)
const only = values.only.split(',').filter(Boolean)
const before = values.survivors ? readReport() : new Map()
const sample = takeSample(all, { size: Number(values.sample), seed, only })
console.log(`${sample.length} of ${all.length} mutants.`)

const { green, red } = await learnCoverage({ ...options, endsAt: undefined })
for (const { id, test, message } of red)
  console.log(`Fails without a mutant: ${id}: ${test}: ${message}`)
console.log(`${green.length} test files pass without a mutant (${minutes()} min).`)

/** Why mutants are equivalent (change no visible behaviour), by key. */
const reasons = JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'))
for (const key of Object.keys(reasons).filter((key) => !all.some((mutant) => mutant.key === key)))
  console.log(`equivalent.json names a mutant that is not there: ${key}`)
const isDecided = ({ key }) =>
  key in reasons || ['killed', 'timeout'].includes(before.get(key)?.status)
const jobs = new Map(sample.map((mutant) => [mutant.id, orderTests(mutant, green)]))
const open = sample.filter((mutant) => !isDecided(mutant)).map(({ id }) => jobs.get(id))
const results = await runJobs(
  'mutants',
  open.filter(({ tests }) => tests.length > 0),
  options,
)
const isGood = report({ sample, jobs, results, before, reasons, seed, minutes: minutes() })
process.exitCode = isGood && red.length === 0 ? 0 : 1

/** Returns the results of the last run, by the mutants' keys. */
function readReport() {
  return new Map(
    JSON.parse(readFileSync(join(cache, 'report.json'), 'utf8')).mutants.map((row) => [
      row.key,
      row,
    ]),
  )
}

/** Prints the results and writes them to report.json; returns whether the goals are met. */
function report({ sample, jobs, results, before, reasons, minutes, seed }) {
  const resultOf = new Map(results.map((result) => [result.id, result]))
  // If time ran out, scores the sample's first part only: mutants without tests are known for all
  // of it, and would lower the score.
  const reached =
    sample.findLastIndex(({ id, key }) => resultOf.has(id) || before.get(key)?.ran !== undefined) +
    1
  const rows = sample.slice(0, reached).flatMap((mutant) => {
    const { tests, isStatic } = jobs.get(mutant.id)
    const found =
      mutant.key in reasons
        ? { status: 'equivalent', reason: reasons[mutant.key] }
        : tests.length === 0
          ? { status: 'no coverage' }
          : (resultOf.get(mutant.id) ?? before.get(mutant.key))
    return found ? [{ ...found, ...mutant, isStatic, covering: tests.length }] : []
  })
  for (const {
    file,
    line,
    mutator,
    original,
    replacement,
    status,
    cut,
    covering,
    ran,
    key,
  } of rows)
    if (status === 'survived' || status === 'no coverage')
      console.log(
        `${status}${cut ? ` (${ran} of ${covering} test files)` : ''}: ${file}:${line} ${mutator}\n  - ${shorten(original)}\n  + ${shorten(replacement)}\n  ${key}`,
      )
  const scores = Object.fromEntries(
    ['all', ...folders].map((folder) => [folder, score(rows, folder)]),
  )
  console.table(scores)
  console.log(`${rows.length} of ${sample.length} mutants in ${minutes} min, seed ${seed}.`)
  writeFileSync(
    join(cache, 'report.json'),
    JSON.stringify({ seed, minutes, scores, mutants: rows }, null, 2),
  )
  return Object.entries(goals).every(([folder, goal]) => !(scores[folder].score < goal))
}

/**
 * Counts results; the score is the share of mutants that a test kills, without equivalent mutants.
 */
function score(rows, folder) {
  const own = rows.filter((row) => folder === 'all' || row.folder === folder)
  const count = (...statuses) => own.filter(({ status }) => statuses.includes(status)).length
  const killed = count('killed', 'timeout')
  return {
    mutants: own.length,
    killed: count('killed'),
    timeout: count('timeout'),
    survived: count('survived'),
    'no coverage': count('no coverage'),
    equivalent: count('equivalent'),
    static: own.filter(({ isStatic }) => isStatic).length,
    score: Math.round((killed / (own.length - count('equivalent'))) * 1_000) / 10,
  }
}

function shorten(text) {
  return text.replaceAll(/\s+/g, ' ').slice(0, 160)
}
