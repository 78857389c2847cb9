import {
  brokenRules,
  isIncomplete,
  knownIds,
  toAssumptionsFile,
  toVerifyJson,
  toVerifyJunit,
  toVerifyMarkdown,
  TargetUnreachableError,
  verify,
  type VerifyReport,
} from '../../contract/verify/index.ts'
import type { Plan } from '../../core/accounts/plans.ts'
import { globFilter } from '../../core/text/glob.ts'
import { isLoopbackHost } from '../../core/http/loopback.ts'
import { systemNow } from '../../core/time/clock.ts'
import { suggest } from '../../core/text/messages.ts'
import { createHttpClient, createReceive } from '../../node-http/verify-http.ts'
import { delay } from '../process/delay.ts'
import { createSignalFilter } from '../process/shutdown.ts'
import { FailedCheck, UsageError } from '../errors.ts'
import { print, printError } from '../output/print.ts'
import { writeFile } from '../output/write-file.ts'
import type { Terminal } from '../terminal.ts'
import type { VerifyArguments } from '../flags/verify.ts'
import { toTableReport } from '../output/verify-table.ts'
import { signalCode } from '../process/signal-code.ts'

const unreachable = 3

const formats = { table: toTableReport, json: toVerifyJson, junit: toVerifyJunit, md: toVerifyMarkdown }

export async function runVerify(args: VerifyArguments, key: string, terminal: Terminal): Promise<void> {
  const only = toIdFilter(args.only)
  const { send, close } = createHttpClient({ insecure: args.insecure })
  const stop = new AbortController()
  const stopped = onSignal(terminal, () => stop.abort())
  let report: VerifyReport
  try {
    report = await verify({
      ...args,
      targets: {
        ...(args.targetPlants !== undefined && { plants: args.targetPlants }),
        ...(args.targetApps !== undefined && { apps: args.targetApps }),
      },
      key,
      send,
      now: systemNow,
      wait: (duration) => delay(duration, stop.signal),
      signal: stop.signal,
      plans: await readPlans(terminal),
      receive: toReceive(args),
      log: (line) => printError(terminal, `${line}\n`),
      only,
    })
  } catch (error) {
    if (!(error instanceof TargetUnreachableError)) throw error
    printError(terminal, `${error.message}\n`)
    throw new FailedCheck(unreachable)
  } finally {
    close()
    stopped.forget()
  }
  print(terminal, formats[args.report](report, terminal.stdout.columns))
  if (args.write !== undefined) write(terminal, args.write, report, args.report === 'table')
  const code = stopped.code() ?? toCode(report)
  if (code !== 0) throw new FailedCheck(code)
}

function toCode(report: VerifyReport): number {
  if (report.left.length > 0 || brokenRules(report).some(({ source }) => source === 'stated')) return 1
  return isIncomplete(report) ? unreachable : 0
}

function toIdFilter(patterns: readonly string[]): ((id: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined
  const known = knownIds()
  for (const pattern of patterns)
    if (!known.some(globFilter(pattern)))
      throw new UsageError(`--only ${pattern}: there is no such rule or assumption.${suggest(pattern, known)}`)
  return globFilter(patterns)
}

/** Returns the webhook receivers, if the server can reach them: on this machine it can without `--receive-at`. */
function toReceive({ targetApps, receiveAt, receivePort }: VerifyArguments) {
  if (targetApps === undefined) return undefined
  if (receiveAt === undefined && !isLoopbackHost(new URL(targetApps).hostname)) return undefined
  return createReceive({ now: systemNow, port: receivePort, url: receiveAt })
}

/** The first signal ends the run, which still deletes created objects; another one ends the process. */
function onSignal(terminal: Terminal, stop: () => void) {
  const isNew = createSignalFilter(terminal.stdin)
  let first: NodeJS.Signals | undefined
  const listen = (signal: NodeJS.Signals) => {
    if (!isNew(signal)) return
    if (first !== undefined) return terminal.exit(signalCode(signal))
    first = signal
    printError(terminal, 'Stopping: deleting what was created. Press Ctrl-C again to stop at once.\n')
    stop()
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) terminal.signals.on(signal, listen)
  return {
    code: () => (first === undefined ? undefined : signalCode(first)),
    forget() {
      for (const signal of signals) terminal.signals.off(signal, listen)
    },
  }
}

function write(terminal: Terminal, file: string, report: VerifyReport, isVerbose: boolean): void {
  writeFile(file, toAssumptionsFile(report))
  if (isVerbose) print(terminal, `\nWrote ${file}. Use it: greenhouse-mock serve --assume-file ${file}\n`)
}

async function readPlans({ config }: Terminal): Promise<readonly Plan[] | undefined> {
  if (!config) return undefined
  const { createConfigured } = await import('../flags/greenhouse.ts')
  const greenhouse = await createConfigured({ config })
  try {
    return greenhouse.world().records.plans.all()
  } finally {
    greenhouse.close()
  }
}
