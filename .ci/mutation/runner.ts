import { appendFileSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTests, type File, type Suite, type Test } from '@vitest/runner'
import { TestRunner } from 'vitest'
import { root } from './mutants.mjs'

const folder = process.env['MUTATION_FOLDER']!

/** The state that the instrumented source reads and writes: the active mutant, and the mutants that code reaches. */
const switches = ((globalThis as Record<string, unknown>)['__stryker__'] ??= {}) as {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: Coverage
  hitCount?: number | undefined
  hitLimit?: number
}

interface Coverage {
  static: Record<string, number>
  perTest: Record<string, Record<string, number>>
}

/** A job: record the coverage of a test file, or test a mutant. */
export interface Job {
  id: string
  /** The id of the mutant; without it, the job records coverage. */
  mutant?: string
  /** The source file of the mutant. */
  source?: string
  /** The test files to run, best first, until a test fails. */
  tests: { file: string; ms: number }[]
  hits?: number
  /** Whether the job needs its own process. */
  alone?: boolean
}

/** The limit of processor time for the tests of a mutant, in microseconds; then the mutant survives. */
const budget = Number(process.env['MUTATION_BUDGET']) * 1e6
/** After this many kills, the test file that killed the last mutant must still pass without a mutant. */
const round = 20
const memory = 2_500_000_000
/** Where test/support/test-api.ts stores objects that a worker's test files share. They need fresh modules too. */
const shared = Symbol.for('greenhouse.test.shared')

/**
 * Runs the tests of many mutants in one process. Each mutant gets fresh modules, so it also affects state that a module
 * creates on load or stores later; `node_modules` is loaded once.
 */
export default class MutationRunner extends TestRunner {
  async onBeforeCollect(): Promise<void> {
    const output = process.env['MUTATION_RESULTS']!
    const { jobs } = JSON.parse(readFileSync(process.env['MUTATION_JOBS']!, 'utf8')) as { jobs: Job[] }
    const mutants = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8')) as { id: string; file: string }[]
    const sources = new Map(mutants.map(({ id, file }) => [id, file]))
    const inner = new InnerRunner(this)
    const killers = new Map<string, Set<string>>()
    let killed: Result[] = []
    const tell = (message: object) => appendFileSync(output, JSON.stringify(message) + '\n')
    let stray: string | undefined
    const note = (error: unknown) => (stray ??= String((error as Error)?.message ?? error))
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
        const coverage: Coverage = { static: {}, perTest: {} }
        Object.assign(switches, { activeMutant: undefined, hitCount: undefined, mutantCoverage: coverage })
        const [{ file }] = job.tests as [Job['tests'][number]]
        const failure = await inner.runFile(file, 180_000)
        tell({ ...failure, id: job.id, file, ms: performance.now() - startedAt, ...summarize(coverage, sources) })
        if (process.memoryUsage().rss > memory) return
        continue
      }
      const result: Result = { id: job.id, status: 'survived', ran: 0 }
      Object.assign(switches, { activeMutant: job.mutant, hitLimit: 1_000 + 100 * job.hits! })
      const known = killers.get(job.source!) ?? new Set()
      const tests = [...job.tests].sort((one, other) => Number(known.has(other.file)) - Number(known.has(one.file)))
      for (const { file, ms } of tests) {
        // A busy machine gives each mutant as many tests as a quiet one.
        const { user, system } = process.cpuUsage(spentBefore)
        if (user + system > budget) {
          result.cut = true
          break
        }
        switches.hitCount = 0
        tell({ file })
        const failure = (await inner.runFile(file, 10_000 + 5 * ms)) ?? (stray ? { message: stray } : undefined)
        result.ran++
        if (!failure) continue
        Object.assign(result, { status: failure.timedOut ? 'timeout' : 'killed', by: file, ...failure })
        killers.set(job.source!, known.add(file))
        break
      }
      switches.activeMutant = undefined
      tell({ ...result, ms: Math.round(performance.now() - startedAt) })
      if (job.alone || result.status === 'timeout' || process.memoryUsage().rss > memory) return
      if (result.status === 'killed') killed.push(result)
      if (killed.length < round) continue
      // State that a mutant left behind would kill all later mutants.
      inner.freshModules()
      const failure = await inner.runFile(killed.at(-1)!.by!, 60_000)
      if (failure) {
        tell({ revoked: killed.map(({ id }) => id), failure })
        return
      }
      killed = []
    }
  }
}

interface Result {
  id: string
  status: 'survived' | 'killed' | 'timeout'
  /** The number of test files that ran. */
  ran: number
  /** Whether the time limit ended the job before all tests ran. */
  cut?: boolean
  by?: string
}

interface Failure {
  test?: string
  message?: string
  timedOut?: boolean
}

/** Runs one of our test files, until a test fails, without a report to Vitest. */
class InnerRunner extends TestRunner {
  readonly #modules: Modules

  constructor(outer: MutationRunner) {
    const { config, moduleRunner, _otel } = outer as unknown as Internals
    super({ ...config })
    Object.defineProperty(this, 'moduleRunner', { value: moduleRunner })
    this.__setTraces(_otel as never)
    this.#modules = (this as unknown as Internals).workerState.evaluatedModules.idToModuleMap
    // Does not fetch modules again.
    const fetch = moduleRunner.getModuleInformation.bind(moduleRunner)
    moduleRunner.getModuleInformation = async (url, importer, cached) =>
      cached?.meta ? cached : fetch(url, importer, cached)
  }

  /** Resets our modules, so that the next import loads them again. */
  freshModules(): void {
    for (const [path, module] of this.#modules) if (!/node_modules|\.ci\/mutation/.test(path)) renew(module)
    const global = globalThis as { [shared]?: Map<string, Promise<{ greenhouse: { close(): void } }>> }
    for (const opened of global[shared]?.values() ?? []) void opened.then(({ greenhouse }) => greenhouse.close())
    delete global[shared]
  }

  async runFile(name: string, timeout: number): Promise<Failure | undefined> {
    const internals = this as unknown as Internals
    const filepath = join(root, name)
    internals.cancelRun = false
    internals.workerState.filepath = filepath
    this.config.testTimeout = timeout
    this.config.hookTimeout = timeout
    switches.currentTestId = undefined
    const module = this.#modules.get(filepath)
    if (module) renew(module)
    const [file] = await startTests([{ filepath, testLocations: undefined } as never], this)
    return findFailure(file!)
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') (this as unknown as Internals).cancelRun = true
  }

  onBeforeRunFiles(): void {
    switches.currentTestId = 'tests'
  }
}

type Modules = Map<string, Module>

interface Module {
  promise?: unknown
  exports?: unknown
  evaluated: boolean
  importers: Set<string>
  meta?: object
}

/** Internals of Vitest. */
interface Internals {
  config: TestRunner['config']
  cancelRun: boolean
  _otel: unknown
  workerState: { filepath: string; evaluatedModules: { idToModuleMap: Modules } }
  moduleRunner: {
    getModuleInformation(url: string, importer: string | undefined, cached?: Module): Promise<Module>
  }
}

function renew(module: Module): void {
  module.promise = undefined
  module.exports = undefined
  module.evaluated = false
  module.importers.clear()
}

function findFailure(task: File | Suite | Test): Failure | undefined {
  for (const child of 'tasks' in task ? task.tasks : []) {
    const failure = findFailure(child as Suite)
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

/** @returns how often each mutant was reached during the tests and before; and the number of mutants reached per source file */
function summarize({ static: before, perTest }: Coverage, sources: Map<string, string>) {
  const during = perTest['tests'] ?? {}
  const files: Record<string, number> = {}
  for (const id in during) files[sources.get(id)!] = (files[sources.get(id)!] ?? 0) + 1
  return { before, during, files }
}

/** Claims a job; returns false if another process has it. */
function claim(id: string): boolean {
  try {
    closeSync(openSync(join(folder, 'claims', id.replaceAll('/', '_')), 'wx'))
    return true
  } catch {
    return false
  }
}
