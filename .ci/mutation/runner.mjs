import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTests } from '@vitest/runner'
import { TestRunner } from 'vitest'
import { root } from './mutants.mjs'

const folder = process.env.MUTATION_FOLDER

/**
 * The state that the instrumented source reads and writes: the active mutant, and the mutants that
 * code reaches.
 */
const switches = (globalThis.__stryker__ ??= {})

/**
 * The limit of processor time for the tests of a mutant, in microseconds; then the mutant survives.
 */
const budget = Number(process.env.MUTATION_BUDGET) * 1e6
/**
 * After this many kills, the test file that killed the last mutant must still pass without a
 * mutant.
 */
const round = 20
const memory = 2_500_000_000
/**
 * Where test/support/test-api.ts stores objects that a worker's test files share. They need fresh
 * modules too.
 */
const shared = Symbol.for('greenhouse.test.shared')

/**
 * A job: record the coverage of a test file, or test a mutant.
 * @typedef {object} Job
 * @property {string} id
 * @property {string} [mutant] its id; without it, the job records coverage
 * @property {string} [source] the source file of the mutant
 * @property {{ file: string, ms: number }[]} tests the test files to run, best first, until a test
 * fails
 * @property {number} [hits] how often they reach the mutant
 * @property {boolean} [alone] whether the job needs its own process
 */

/**
 * Runs the tests of many mutants in one process. Each mutant gets fresh modules, so it also affects
 * state that a module creates on load or stores later; `node_modules` is loaded once.
 */
export default class MutationRunner extends TestRunner {
  async onBeforeCollect() {
    const output = process.env.MUTATION_RESULTS
    const { jobs } = JSON.parse(readFileSync(process.env.MUTATION_JOBS, 'utf8'))
    const mutants = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'))
    const sources = new Map(mutants.map(({ id, file }) => [id, file]))
    const inner = new InnerRunner(this)
    const killers = new Map()
    let killed = []
    const tell = (message) => appendFileSync(output, JSON.stringify(message) + '\n')
    let stray
    const note = (error) => (stray ??= String(error?.message ?? error))
    // The modules of each mutant listen for the end of the process, and none of them ends it.
    process.setMaxListeners(0)
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)

    for (const job of jobs) {
      if (!claim(job.id)) continue
      tell({ start: job.id, at: Date.now() })
      const startedAt = performance.now()
      const spentBefore = process.cpuUsage()
      stray = undefined
      inner.freshModules()
      if (job.mutant === undefined) {
        const coverage = { static: {}, perTest: {} }
        Object.assign(switches, {
          activeMutant: undefined,
          hitCount: undefined,
          mutantCoverage: coverage,
        })
        const [{ file }] = job.tests
        const failure = await inner.runFile(file, 180_000)
        tell({
          ...failure,
          id: job.id,
          file,
          ms: performance.now() - startedAt,
          ...summarize(coverage, sources),
        })
        if (process.memoryUsage().rss > memory) return
        continue
      }
      const result = { id: job.id, status: 'survived', ran: 0 }
      Object.assign(switches, { activeMutant: job.mutant, hitLimit: 1_000 + 100 * job.hits })
      const known = killers.get(job.source) ?? new Set()
      const tests = [...job.tests].sort(
        (one, other) => Number(known.has(other.file)) - Number(known.has(one.file)),
      )
      for (const { file, ms } of tests) {
        // A busy machine gives each mutant as many tests as a quiet one.
        const { user, system } = process.cpuUsage(spentBefore)
        if (user + system > budget) {
          // Not all tests ran.
          result.cut = true
          break
        }
        switches.hitCount = 0
        tell({ file })
        const failure =
          (await inner.runFile(file, 10_000 + 5 * ms)) ?? (stray ? { message: stray } : undefined)
        result.ran++
        if (!failure) continue
        Object.assign(result, {
          status: failure.timedOut ? 'timeout' : 'killed',
          by: file,
          ...failure,
        })
        killers.set(job.source, known.add(file))
        break
      }
      switches.activeMutant = undefined
      tell({ ...result, ms: Math.round(performance.now() - startedAt) })
      if (job.alone || result.status === 'timeout' || process.memoryUsage().rss > memory) return
      if (result.status === 'killed') killed.push(result)
      if (killed.length < round) continue
      // State that a mutant left behind would kill all later mutants.
      inner.freshModules()
      const failure = await inner.runFile(killed.at(-1).by, 60_000)
      if (failure) {
        tell({ revoked: killed.map(({ id }) => id), failure })
        return
      }
      killed = []
    }
  }
}

/**
 * Runs one of our test files, until a test fails, without a report to Vitest, of which it uses
 * internals.
 */
class InnerRunner extends TestRunner {
  #modules

  constructor(outer) {
    const { config, moduleRunner, _otel } = outer
    super({ ...config })
    Object.defineProperty(this, 'moduleRunner', { value: moduleRunner })
    this.__setTraces(_otel)
    this.#modules = this.workerState.evaluatedModules.idToModuleMap
    // Does not fetch modules again.
    const fetch = moduleRunner.getModuleInformation.bind(moduleRunner)
    moduleRunner.getModuleInformation = async (url, importer, cached) =>
      cached?.meta ? cached : fetch(url, importer, cached)
  }

  /** Resets our modules, so that the next import loads them again. */
  freshModules() {
    for (const [path, module] of this.#modules)
      if (!/node_modules|\.ci\/mutation/.test(path)) renew(module)
    // What builds of the package share: see src/core/contract/builds.ts.
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description?.startsWith('greenhouse-mock.')) delete globalThis[symbol]
    for (const opened of globalThis[shared]?.values() ?? [])
      void opened.then(({ greenhouse }) => greenhouse.close())
    delete globalThis[shared]
  }

  async runFile(name, timeout) {
    const filepath = join(root, name)
    this.cancelRun = false
    this.workerState.filepath = filepath
    this.config.testTimeout = timeout
    this.config.hookTimeout = timeout
    switches.currentTestId = undefined
    const module = this.#modules.get(filepath)
    if (module) renew(module)
    const [file] = await startTests([{ filepath, testLocations: undefined }], this)
    return findFailure(file)
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') this.cancelRun = true
  }

  onBeforeRunFiles() {
    switches.currentTestId = 'tests'
  }
}

function renew(module) {
  module.promise = undefined
  module.exports = undefined
  module.evaluated = false
  module.importers.clear()
}

function findFailure(task) {
  for (const child of 'tasks' in task ? task.tasks : []) {
    const failure = findFailure(child)
    if (failure) return failure
  }
  if (task.result?.state !== 'fail') return undefined
  const message = task.result.errors?.map(({ message }) => message).join('; ') ?? ''
  return {
    test: task.name,
    message: message.slice(0, 200),
    timedOut: /timed out in|Hit count limit reached/.test(message),
  }
}

/**
 * @returns how often each mutant was reached during the tests and before; and the number of mutants
 * reached per source file
 */
function summarize({ static: before, perTest }, sources) {
  const during = perTest.tests ?? {}
  const files = {}
  for (const id in during) files[sources.get(id)] = (files[sources.get(id)] ?? 0) + 1
  return { before, during, files }
}

/** Claims a job; returns false if another process has it. */
function claim(id) {
  try {
    closeSync(openSync(join(folder, 'claims', id.replaceAll('/', '_')), 'wx'))
    return true
  } catch {
    return false
  }
}
