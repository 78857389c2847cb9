import {
  isIncomplete,
  knownIds,
  TargetUnreachableError,
  toAssumptionsFile,
  toVerifyReport,
  verify,
  type VerifyReport,
} from '../../contract/verify/index.ts'
import type { Answers } from '../../control/actions/index.ts'
import { ControlApi } from '../../control/client/control-api.ts'
import { directFetch } from '../../control/client/direct-fetch.ts'
import type { Plan } from '../../core/accounts/accounts.ts'
import { givenOf } from '../../core/contract/options.ts'
import { toJson } from '../../core/http/json.ts'
import { globFilter } from '../../core/text/values.ts'
import { isLoopbackHost } from '../../core/http/urls.ts'
import { after, delay, systemNow } from '../../core/time/clock.ts'
import { describeProblem } from '../../core/text/messages.ts'
import { createHttpClient, createReceive } from '../../node-http/verify-http.ts'
import { stopOnSignal } from '../process/shutdown.ts'
import {
  assertPassed,
  FailedCheck,
  UsageError,
  createStatusLine,
  print,
  printError,
  type Terminal,
} from '../terminal.ts'
import { createConfigured, resolveFlags } from '../flags/flags.ts'
import { serverFlags } from '../running-server.ts'
import type { VerifyArguments } from '../flags/contract.ts'
import { printReport } from '../output/report.ts'
import { createFolder, writeFile } from '../files.ts'

const unreachable = 3

export async function runVerify(args: VerifyArguments, key: string, terminal: Terminal) {
  const only = toIdFilter(args.only)
  if (args.artifacts !== undefined) createFolder(args.artifacts)
  const { send, close } = createHttpClient({ insecure: args.insecure })
  const showStatus = createStatusLine(terminal)
  const log = (line: string) => printError(terminal, `${line}\n`)
  // The end still deletes what was created.
  const stopped = stopOnSignal(terminal, () =>
    log('Stopping: deleting what was created. Press Ctrl-C again to stop at once.'),
  )
  let report: VerifyReport
  const own =
    args.rate === undefined ? await findOwnTarget(args, terminal, stopped.signal) : undefined
  const clock = own?.clock
  try {
    report = await verify({
      ...args,
      rate: args.rate ?? (own ? Infinity : 4),
      now: systemNow,
      wait: (duration) => delay(duration, stopped.signal),
      ...clock,
      targets: givenOf({
        plants: args.targetPlants,
        apps: args.targetApps,
      }),
      key,
      send,
      signal: stopped.signal,
      plans: await readPlans(terminal),
      receive: openReceiver(args, clock?.now),
      log,
      progress: ({ done, total, running }) => showStatus(`${done}/${total} ${running.join(', ')}`),
      only,
    })
  } catch (error) {
    if (!(error instanceof TargetUnreachableError)) throw error
    log(error.message)
    throw new FailedCheck(unreachable)
  } finally {
    showStatus('')
    await clock?.restore()
    close()
  }
  const found = printReport(
    terminal,
    args,
    toVerifyReport(report),
    isIncomplete(report) ? unreachable : 0,
  )
  if (args.write !== undefined) {
    writeFile(args.write, toAssumptionsFile(report))
    const advice = `Use it: greenhouse-mock serve --assume-file ${args.write}`
    if (args.report === 'table') print(terminal, `\nWrote ${args.write}. ${advice}\n`)
  }
  const code = stopped.code ?? found
  assertPassed(code)
}

/** How long a target may take to say that it is a Greenhouse, in milliseconds. */
const recognition = 2_000

/**
 * Recognises a Greenhouse by its control API. A run that may write moves the clock of its world
 * instead of waiting.
 */
async function findOwnTarget(
  { targetPlants, targetApps, allowWrites }: VerifyArguments,
  { env }: Terminal,
  signal: AbortSignal,
) {
  const urls = [targetPlants, targetApps]
    .filter((url) => url !== undefined)
    .map((url) => new URL(url))
  const [name, ...others] = new Set(
    urls.map(({ pathname }) => /^\/~([^/]+)/.exec(pathname)?.[1] ?? 'default'),
  )
  const [origin, ...moreOrigins] = new Set(urls.map((url) => url.origin))
  if (origin === undefined || others.length + moreOrigins.length > 0) return undefined
  const { token } = resolveFlags({ token: serverFlags.token }, {}, env)
  const apiWith = (token?: string) =>
    new ControlApi(origin, {
      world: name,
      token: () => token,
      fetch: directFetch,
    })
  const api = apiWith(token)
  const move = (advance: number) => api.call('PATCH /worlds/{world}/clock', { advance }, { signal })
  let moved = 0
  const silence = new AbortController()
  const stopTimer = after(recognition, () => silence.abort())
  const ask = (one: ControlApi): Promise<Partial<Answers['GET /health']>> =>
    one.call('GET /health', {}, { signal: silence.signal })
  try {
    let health = await ask(apiWith())
    // A Greenhouse with a token says no more than this without it. Nobody else gets the token.
    if (toJson(health) === '{"status":"ok"}') health = await ask(api)
    if (health.version === undefined || health.worlds === undefined) return undefined
    if (allowWrites) await move(0)
  } catch {
    return undefined
  } finally {
    stopTimer()
  }
  const clock = {
    movesClock: true,
    now: () => systemNow() + moved,
    wait: (duration: number) =>
      move(duration).then(
        () => void (moved += duration),
        () => delay(duration, signal),
      ),
    restore: () =>
      api.call('PATCH /worlds/{world}/clock', { advance: -moved }).catch(() => undefined),
  }
  return { clock: allowWrites ? clock : undefined }
}

function toIdFilter(patterns: readonly string[]): ((id: string) => boolean) | undefined {
  if (patterns.length === 0) return undefined
  const known = knownIds()
  for (const pattern of patterns)
    if (!known.some(globFilter(pattern)))
      throw new UsageError(
        `--only ${pattern}: ${describeProblem('there is no such rule or assumption', pattern, known)}`,
      )
  return globFilter(patterns)
}

/**
 * Returns the webhook receivers, if the server can reach them: on this machine it can without
 * `--receive-at`.
 */
function openReceiver({ targetApps, receiveAt, receivePort }: VerifyArguments, now = systemNow) {
  if (targetApps === undefined) return undefined
  if (receiveAt === undefined && !isLoopbackHost(new URL(targetApps).hostname)) return undefined
  return createReceive({
    now,
    port: receivePort,
    url: receiveAt,
  })
}

async function readPlans(terminal: Terminal): Promise<readonly Plan[] | undefined> {
  if (!terminal.config) return undefined
  const greenhouse = await createConfigured(terminal)
  try {
    return greenhouse.world().records.plans.all()
  } finally {
    greenhouse.close()
  }
}
