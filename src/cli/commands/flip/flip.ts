import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  createFailureFinder,
  hasFailed,
  mustRun,
  runVariants,
  type FlipSettings,
  type WorldsReport,
} from '../../../contract/flip/index.ts'
import type { ServeOptions } from '../../../adapters/server.ts'
import type { GreenhouseOptions } from '../../../greenhouse/greenhouse.ts'
import type { AssumptionChoices } from '../../../greenhouse/types/names.ts'
import { toCatalogue } from '../../../greenhouse/assembly/create.ts'
import type { Catalogue } from '../../../greenhouse/assembly/make-catalogue.ts'
import { listVariants, type Variant } from '../../../greenhouse/variants.ts'
import { runCaptured, type CaptureOptions } from '../../process/captured-command.ts'
import type { FlipArguments } from '../../flags/flip.ts'
import { shutDown, waitForSignal } from '../../process/shutdown.ts'
import { FailedCheck, UsageError } from '../../errors.ts'
import { createFlipProgress, printFailedBaseline } from '../../output/flip-progress.ts'
import { printFlipReport } from '../../output/flip-report.ts'
import { startFlipServer } from './flip-server.ts'
import { exitCodeAfterFlush } from '../../output/lost-output.ts'
import { withUsageErrors, toGreenhouseOptions } from '../../flags/greenhouse.ts'
import { printError } from '../../output/print.ts'
import { createTemporaryFolder } from '../../output/write-file.ts'
import { assertGuarded, loadOwnHandlers } from '../start-serving.ts'
import type { Terminal } from '../../terminal.ts'
import { signalCode } from '../../process/signal-code.ts'

const noRequest =
  'Nothing to flip: the command passed without a request to the server. Let it read the base URLs from PLANTS_BASE_URL and APPS_BASE_URL, or use the worlds of createTest() or withWorld(). Tests that call createGreenhouse() can flip with greenhouse.variants().'

export async function flip(command: readonly string[], args: FlipArguments, terminal: Terminal): Promise<void> {
  assertGuarded(args)
  const options = await toGreenhouseOptions(args, terminal.config)
  const catalogue = toCatalogue(options)
  const variants = toVariants(options, catalogue, args.only)
  const stopped = stopOnSignal(terminal)
  const first = await loadOwnHandlers(args.handlers, terminal)
  const run = { terminal, command, args, first, signal: stopped.signal, ofFlags: Object.fromEntries(args.assume) }

  printError(terminal, 'Running the command as it is …\n')
  const finder = createFailureFinder()
  const baseline = await runOnServer(options, { ...run, finder })
  if (stopped.code !== undefined) {
    printError(terminal, 'Stopped before the command had run once.\n')
    return shutDown(terminal, stopped.code, async () => {})
  }
  if (baseline.run.code !== 0) {
    printFailedBaseline(terminal, baseline.run)
    throw new FailedCheck(baseline.run.code)
  }
  if (baseline.requests === 0 && args.handlers === undefined) throw new UsageError(noRequest)

  const consulted = args.all ? undefined : baseline.consulted
  const total = variants.filter((variant) => mustRun(variant, consulted)).length
  const progress = createFlipProgress(terminal, { variants, total, parallel: args.parallel, baseline })
  const timeout = args.timeout ?? 10 * baseline.run.ms + 10_000
  const again = () => createFailureFinder(finder.lookalikes)
  const { results, isFlaky } = await runVariants(variants, {
    consulted,
    parallel: args.parallel,
    signal: stopped.signal,
    run: async (variant) =>
      (await runOnServer(inVariant(options, variant), { ...run, variant, finder: again(), timeout })).run,
    runAsIs: async () => (await runOnServer(options, { ...run, finder: again(), timeout })).run,
    onResult: progress,
  })
  printFlipReport(terminal, args.report, {
    command,
    inForce: catalogue.assumptionRegistry.resolve(options.assumptions as Readonly<Record<string, string>>),
    baseline: { ms: baseline.run.ms, requests: baseline.requests, consulted: baseline.consulted, isFlaky },
    isPartial: stopped.code !== undefined,
    results,
  })
  const code = stopped.code ?? (results.some(hasFailed) ? 1 : 0)
  await shutDown(terminal, code, () => exitCodeAfterFlush(terminal, code))
}

function toVariants(options: GreenhouseOptions, catalogue: Catalogue, only: readonly string[]): Variant[] {
  return withUsageErrors(options, ({ assumptions }) =>
    listVariants(catalogue.assumptionRegistry, assumptions, { only: only.length > 0 ? only : undefined }),
  )
}

function inVariant(options: GreenhouseOptions, { assumptions }: Variant): GreenhouseOptions {
  return { ...options, assumptions: { ...options.assumptions, ...assumptions } }
}

interface RunOptions extends Pick<CaptureOptions, 'finder' | 'signal' | 'timeout'> {
  readonly terminal: Terminal
  readonly command: readonly string[]
  readonly args: FlipArguments
  readonly first: ServeOptions['first']
  readonly ofFlags: AssumptionChoices
  readonly variant?: Variant
}

async function runOnServer(
  options: GreenhouseOptions,
  { terminal, command, args, first, ofFlags, variant, ...how }: RunOptions,
) {
  const server = await startFlipServer(terminal, options, args, first)
  const folder = createTemporaryFolder('flip')
  const settings: FlipSettings = { folder, assumptions: { ...ofFlags, ...variant?.assumptions } }
  try {
    const { supervisor } = terminal
    const env = { ...server.env, GREENHOUSE_FLIP: JSON.stringify(settings) }
    const run = await runCaptured(command, { ...how, env, supervisor })
    const reports = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as WorldsReport,
    )
    return {
      run,
      requests: reports.reduce((sum, { requests }) => sum + requests, server.requests),
      consulted: new Set([...server.consulted, ...reports.flatMap(({ consulted }) => consulted)]),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.close()
  }
}

/** Aborts at the first signal; the second one ends the process and its children. */
function stopOnSignal(terminal: Terminal) {
  const controller = new AbortController()
  let code: number | undefined
  void waitForSignal(terminal).then((signal) => {
    code = signalCode(signal)
    controller.abort()
  })
  // After SIGHUP the terminal is closed, and nobody would read the report.
  terminal.signals.once('SIGHUP', () => terminal.exit(signalCode('SIGHUP')))
  return {
    signal: controller.signal,
    get code() {
      return code
    },
  }
}
