import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type RunningServer, serve, type ServeOptions } from '../../adapters/server.ts'
import { createWithHooks, toCatalogue } from '../../api/assembly/create.ts'
import type { GreenhouseOptions } from '../../api/greenhouse.ts'
import { listVariants, type Variant } from '../../api/variants.ts'
import type { AssumptionChoices } from '../../api/names.ts'
import {
  type CommandRun,
  type FlipResult,
  type FlipSettings,
  hasFailed,
  mustRun,
  runVariants,
  toFlipReport,
  resultLineOf,
  toSeconds,
  type WorldsReport,
} from '../../contract/flip/index.ts'
import { countOf } from '../../core/text/messages.ts'
import { after, delay, monotonicNow } from '../../core/time/clock.ts'
import {
  createStatusLine,
  FailedCheck,
  UsageError,
  exitCodeAfterFlush,
  guardConsole,
  printError,
  type Terminal,
} from '../terminal.ts'
import type { FlipArguments } from '../flags/contract.ts'
import { toGreenhouseOptions, withUsageErrors } from '../flags/flags.ts'
import { printReport } from '../output/report.ts'
import { createFolder, createTemporaryFolder } from '../files.ts'
import {
  endWithProcess,
  spawnCommand,
  toCommandEnvironment,
  waitForEnd,
} from '../process/run-command.ts'
import { gracePeriod, shutDown, signalCode, stopOnSignal } from '../process/shutdown.ts'
import { assertGuarded, loadOwnHandlers } from './start-serving.ts'

const noRequest =
  'Nothing to flip: the command passed without a request to the server. Let it read the base URLs from PLANTS_BASE_URL and APPS_BASE_URL, or use the worlds of createTest() or withWorld(). Tests that call createGreenhouse() can flip with greenhouse.variants().'

export async function flip(command: readonly string[], args: FlipArguments, terminal: Terminal) {
  assertGuarded(args)
  const options = await toGreenhouseOptions(args, terminal.config)
  const catalogue = toCatalogue(options)
  const variants = withUsageErrors(() =>
    listVariants(catalogue.assumptionRegistry, options.assumptions, {
      only: args.only.length > 0 ? args.only : undefined,
    }),
  )
  if (args.artifacts !== undefined) createFolder(args.artifacts)
  const stopped = stopOnSignal(terminal)
  // After SIGHUP the terminal is closed, and nobody would read the report.
  terminal.signals.once('SIGHUP', () => terminal.exit(signalCode('SIGHUP')))
  const first = await loadOwnHandlers(args.handlers, terminal)
  const run = {
    terminal,
    command,
    args,
    first,
    signal: stopped.signal,
  }

  printError(terminal, 'Running the command as it is …\n')
  const finder = new FailureFinder()
  const baseline = await runOnServer(options, { ...run, finder })
  if (stopped.code !== undefined) {
    printError(terminal, 'Stopped before the command had run once.\n')
    return shutDown(terminal, stopped.code, async () => {})
  }
  const { code: failedCode, output, ms } = baseline.run
  if (failedCode !== 0) {
    printError(terminal, output === '' || output.endsWith('\n') ? output : `${output}\n`)
    printError(
      terminal,
      `The command fails as it is, with exit code ${failedCode}: nothing was flipped. Make it pass with greenhouse-mock run first.\n`,
    )
    throw new FailedCheck(failedCode)
  }
  if (baseline.requests === 0 && args.handlers === undefined) throw new UsageError(noRequest)

  const consulted = args.all ? undefined : baseline.consulted
  const total = variants.filter((variant) => mustRun(variant, consulted)).length
  const ids = new Set(variants.map(({ id }) => id))
  const met = [...ids].filter((id) => baseline.consulted.has(id)).length
  printError(
    terminal,
    `It passed in ${toSeconds(ms)} and consulted ${met} of ${countOf(ids.size, 'unstated behaviour')}. ${countOf(total, 'variant')} to run, about ${toSeconds((ms * total) / args.parallel)}.\n`,
  )
  const timeout = args.timeout ?? 10 * ms + 10_000
  const runAgain = (changed: GreenhouseOptions, variant?: Variant) => {
    const again = new FailureFinder(finder.nearDuplicates)
    return runOnServer(changed, {
      ...run,
      variant,
      finder: again,
      timeout,
    })
  }
  const progress = createProgress(terminal, total)
  const { results, isFlaky } = await runVariants(variants, {
    consulted,
    parallel: args.parallel,
    signal: stopped.signal,
    async run(variant) {
      const assumptions = { ...options.assumptions, ...variant.assumptions }
      const running = runAgain({ ...options, assumptions }, variant)
      return (await progress.during(variant, running)).run
    },
    runAsIs: async () => (await runAgain(options)).run,
    onResult: progress.report,
  })
  const report = toFlipReport({
    command,
    inForce: catalogue.assumptionRegistry.resolve(options.assumptions),
    baseline: {
      ms,
      requests: baseline.requests,
      consulted: baseline.consulted,
      isFlaky,
    },
    isPartial: stopped.code !== undefined,
    results,
  })
  const found = printReport(terminal, args, report)
  const code = stopped.code ?? found
  await shutDown(terminal, code, () => exitCodeAfterFlush(terminal, code))
}

interface RunOptions
  extends Pick<CaptureOptions, 'finder' | 'signal' | 'timeout'>, Pick<ServeOptions, 'first'> {
  readonly terminal: Terminal
  readonly command: readonly string[]
  readonly args: FlipArguments
  readonly variant?: Variant
}

async function runOnServer(
  options: GreenhouseOptions,
  { terminal, command, args, first, variant, ...how }: RunOptions,
) {
  const { port, host, allowHost, token } = args
  const consulted = new Set<string>()
  const greenhouse = withUsageErrors(() =>
    createWithHooks(options, { onAssumptionRead: (id) => consulted.add(id) }),
  )
  let received = 0
  greenhouse.requests.observe(() => void received++)
  const folder = createTemporaryFolder('flip')
  const assumptions: AssumptionChoices = {
    ...Object.fromEntries(args.assume),
    ...variant?.assumptions,
  }
  const settings: FlipSettings = { folder, assumptions }
  const endGuard = guardConsole(terminal, greenhouse.service.redact)
  let server: RunningServer | undefined
  try {
    server = await serve(greenhouse, {
      port,
      host,
      allowHosts: allowHost,
      token,
      first,
    })
    const env = await toCommandEnvironment(
      {
        greenhouse,
        server,
        world: 'default',
      },
      token,
      terminal.env,
    )
    const run = await runCaptured(command, {
      ...how,
      env: {
        ...env,
        GREENHOUSE_FLIP: JSON.stringify(settings),
      },
    })
    const reports = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as WorldsReport,
    )
    return {
      run,
      requests: reports.reduce((sum, { requests }) => sum + requests, received),
      consulted: new Set([...consulted, ...reports.flatMap(({ consulted }) => consulted)]),
    }
  } finally {
    rmSync(folder, {
      recursive: true,
      force: true,
    })
    await server?.close()
    endGuard()
  }
}

function createProgress(terminal: Terminal, total: number) {
  const width = String(total).length
  const began = monotonicNow()
  const showStatus = createStatusLine(terminal)
  const running = new Set<string>()
  let done = 0
  const show = () =>
    showStatus(running.size === 0 ? '' : `${done}/${total} ${[...running].join(', ')}`)
  return {
    during<T>({ title }: Variant, work: Promise<T>): Promise<T> {
      running.add(title)
      show()
      return work.finally(() => running.delete(title)).finally(show)
    },
    report(result: FlipResult, count: number): void {
      done = count
      const left = ((monotonicNow() - began) / done) * (total - done)
      const { run } = result
      const outcomeText =
        run && hasFailed(result) ? `${result.outcome}: ${resultLineOf(run)}` : result.outcome
      printError(
        terminal,
        `[${String(done).padStart(width)}/${total}] ${result.variant.title} ${outcomeText}${done < total ? `  (about ${toSeconds(left)} left)` : ''}\n`,
      )
      show()
    },
  }
}

const maxOutput = 65_536
const longestLine = 4_096

/** The maximum time to read the pipes of an ended command, in milliseconds. */
const drainTime = 200

interface CaptureOptions {
  readonly env: NodeJS.ProcessEnv
  readonly finder: FailureFinder
  readonly timeout?: number
  readonly signal: AbortSignal
}

/**
 * Runs a command without input and captures its output. Processes that it leaves behind end with
 * it. @throws UsageError if it cannot be started.
 */
async function runCaptured(words: readonly string[], options: CaptureOptions): Promise<CommandRun> {
  const { env, finder, timeout, signal } = options
  const began = monotonicNow()
  const command = spawnCommand(words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ownGroup: true,
  })
  const { child, kill } = command
  const forget = endWithProcess(command)
  let output = ''
  const ends = [child.stdout!, child.stderr!].map((stream) => {
    let rest = ''
    const read = (line: string) => finder.read(stripVTControlCharacters(line.slice(0, longestLine)))
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput)
      const lines = (rest + text).split('\n')
      rest = (lines.pop() ?? '').slice(0, longestLine)
      lines.forEach(read)
    })
    return () => read(rest)
  })
  let hasHung = false
  let stopTimer = () => {}
  const end = () => {
    kill('SIGTERM')
    stopTimer()
    stopTimer = after(gracePeriod, () => kill('SIGKILL'))
  }
  if (timeout !== undefined)
    stopTimer = after(timeout, () => {
      hasHung = true
      end()
    })
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const code = await waitForEnd(words, child, 'exit', env)
    const ms = monotonicNow() - began
    await Promise.race([closed, delay(drainTime)])
    for (const finish of ends) finish()
    return {
      code,
      ms,
      hasHung,
      line: finder.line,
      output: stripVTControlCharacters(output),
    }
  } finally {
    stopTimer()
    signal.removeEventListener('abort', end)
    kill('SIGKILL')
    forget()
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }
}

const longest = 500
const maxKnown = 2_000

/** Finds the line of an output that says best why a command failed. */
export class FailureFinder {
  /** The forms of lines that look like failures. */
  readonly nearDuplicates = new Set<string>()
  readonly #known: ReadonlySet<string>
  /** The first line that looks like a failure, by rank. */
  readonly #first: (string | undefined)[] = []
  #last: string | undefined
  /**
   * The rank of a line that continues on the next line: it ends in a colon, or its text begins
   * there.
   */
  #open: number | undefined

  constructor(known: ReadonlySet<string> = new Set()) {
    this.#known = known
  }

  read(whole: string): void {
    const line = whole.slice(0, longest).trim()
    if (line === '') return
    this.#last = line
    if (this.#open !== undefined) {
      this.#first[this.#open] = `${this.#first[this.#open]} ${line}`.trim()
      if (!line.endsWith(':')) this.#open = undefined
      return
    }
    const rank = ranks.findIndex((looksLike) => looksLike(line, line.toLowerCase()))
    if (rank < 0 || isNoise(line)) return
    // Times, ports and ids differ between runs.
    const form = line.replace(/\d+/g, '0')
    if (this.#known.has(form)) return
    if (this.nearDuplicates.size < maxKnown) this.nearDuplicates.add(form)
    if (this.#first[rank] !== undefined) return
    this.#first[rank] = withoutYamlQuotes(line)
    if (this.#first[rank] === '' || line.endsWith(':')) this.#open = rank
  }

  /** The first of the most failure-like lines; without any, the last one. */
  get line(): string | undefined {
    return this.#first.find((line) => line !== undefined) ?? this.#last
  }
}

const ranks: readonly ((line: string, lower: string) => boolean)[] = [
  // AssertionError: …, TypeError [ERR_X]: …, panic: …, expected 204 but got 404
  (line, lower) =>
    /(?:Error|Exception)(?: \[\w+\])?:/.test(line) ||
    /^(?:error|fatal|panic|assertion failed|thrown|uncaught|curl)\b.*:/i.test(line) ||
    /^E {2,}/.test(line) ||
    (/\bexpected\b/.test(lower) && /\b(?:but|got|received|actual|to)\b/.test(lower)),
  // FAIL src/…, ✖ deletes twice, not ok 3, --- FAIL: TestDelete
  (line) => /^(?:FAIL|✖|✗|✘|×|●|not ok\b|--- FAIL)/.test(line),
  (_, lower) => /\b(?:assert\w*|errors?|failed|failures?|exception|denied|refused)\b/.test(lower),
]

/**
 * Removes TAP's notation around a message: `error: 'no plant'`, or `error: |-` with the message on
 * the next lines.
 */
function withoutYamlQuotes(line: string): string {
  if (/^error: [|>]-?$/.test(line)) return ''
  if (line.startsWith("error: '") && line.endsWith("'")) return line.slice("error: '".length, -1)
  return line
}

function isNoise(line: string): boolean {
  return (
    line.startsWith('at ') ||
    /\b(?:no|0) (?:errors?|fail\w*)\b/i.test(line) ||
    /\bfail(?:ed|ures?)?:? 0\b/i.test(line)
  )
}
