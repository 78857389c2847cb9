// Mutation test: applies small changes to the source, one at a time, and checks that a test fails. Usage, with the
// defaults: `node .ci/mutation/run.mjs --sample 1500`. --seed N selects another sample; --only core,clock.ts a part of
// it; --workers N, --minutes N and --budget SECONDS (of a processor, for one mutant) limit it; --survivors leaves out the
// mutants that the last run killed. Installs its own packages. Writes node_modules/.cache/report.json.
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installBeside } from '../matrix/install.mjs'
import { currentFolder, home } from './places.mjs'

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

installBeside(home, { '@stryker-mutator/instrumenter': '9.6.1' })
const { instrument } = await import('./instrument.mjs')
const { takeSample } = await import('./sample.mjs')
const { learnCoverage } = await import('./coverage.mjs')
const { runJobs } = await import('./workers.mjs')
const { orderTests } = await import('./order.mjs')
const { readReasons, readReport, report } = await import('./report.mjs')

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
const sample = takeSample(all, {
  size: Number(values.sample),
  seed,
  only,
})
console.log(`${sample.length} of ${all.length} mutants.`)

const { green, red } = await learnCoverage({ ...options, endsAt: undefined })
for (const { id, test, message } of red) console.log(`Fails without a mutant: ${id}: ${test}: ${message}`)
console.log(`${green.length} test files pass without a mutant (${minutes()} min).`)

const reasons = readReasons()
for (const key of Object.keys(reasons).filter((key) => !all.some((mutant) => mutant.key === key)))
  console.log(`equivalent.json names a mutant that is not there: ${key}`)
const isDecided = ({ key }) => key in reasons || ['killed', 'timeout'].includes(before.get(key)?.status)
const jobs = new Map(sample.map((mutant) => [mutant.id, orderTests(mutant, green)]))
const open = sample.filter((mutant) => !isDecided(mutant)).map(({ id }) => jobs.get(id))
const results = await runJobs(
  'mutants',
  open.filter(({ tests }) => tests.length > 0),
  options,
)
const isGood = report({ sample, jobs, results, before, reasons, seed, minutes: minutes() })
process.exitCode = isGood && red.length === 0 ? 0 : 1
