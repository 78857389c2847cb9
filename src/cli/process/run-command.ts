import { type ChildProcess, spawn, spawnSync, type StdioOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import spawnProgram from 'cross-spawn'
import { after } from '../../core/time/clock.ts'
import { describeStart, type Started } from '../commands/start-serving.ts'
import { UsageError, type Terminal } from '../terminal.ts'
import { toOwnUrl, withoutProxy } from '../flags/flags.ts'
import { tellGuard, createSignalFilter, gracePeriod, signalCode, stopSignals } from './shutdown.ts'

const isWindows = process.platform === 'win32'

export const notFoundCode = 127

export function spawnCommand(
  words: readonly string[],
  {
    env,
    stdio,
    ownGroup,
  }: {
    env: NodeJS.ProcessEnv
    stdio: StdioOptions
    ownGroup: boolean
  },
) {
  const [program, ...args] = words as [string, ...string[]]
  const isScript = words.length === 1 && /\s/.test(program)
  const isGroup = ownGroup && !isWindows
  const options = {
    stdio,
    env,
    detached: isGroup,
  }
  const child = isScript
    ? spawn(program, {
        ...options,
        shell: true,
      })
    : spawnProgram(program, args, options)
  const target = child.pid === undefined || !isGroup ? child.pid : -child.pid
  return {
    child,
    kill: (signal: NodeJS.Signals) => kill(child, signal, isGroup),
    target,
  }
}

type StartedCommand = ReturnType<typeof spawnCommand>

const running = new Set<StartedCommand>()
let isWatchingExit = false

/**
 * Kills a command when this process exits, or when its guard kills it. Returns a function that
 * releases it.
 */
export function endWithProcess(command: StartedCommand): () => void {
  // On the process itself, whichever program it runs.
  // oxlint-disable-next-line no-restricted-properties
  if (!isWatchingExit) process.on('exit', () => running.forEach(({ kill }) => kill('SIGKILL')))
  isWatchingExit = true
  running.add(command)
  updateGuard()
  return () => {
    running.delete(command)
    updateGuard()
  }
}

function updateGuard() {
  tellGuard(Array.from(running, ({ target }) => target ?? []).flat())
}

const reasons: Record<string, readonly [reason: string, exitCode: number]> = {
  ENOENT: [
    'the command was not found on the PATH. Run a command of a package with npx.',
    notFoundCode,
  ],
  EACCES: ['permission denied.', 126],
}

export function explainStartError(
  [program = '']: readonly string[],
  { code, message }: Partial<NodeJS.ErrnoException>,
  path = '',
) {
  const cause = code === 'EACCES' && isMissing(program, path) ? 'ENOENT' : code
  const [reason, exitCode] = reasons[cause ?? ''] ?? [`${message}.`, 2]
  return new UsageError(`Failed to run "${program}": ${reason}`, exitCode)
}

/**
 * Returns whether no folder of the PATH has a program. A folder there that the user may not enter
 * makes the system say EACCES, of any program.
 */
function isMissing(program: string, path: string): boolean {
  return (
    !program.includes('/') &&
    !path.split(delimiter).some((folder) => existsSync(join(folder, program)))
  )
}

function kill(child: ChildProcess, signal: NodeJS.Signals, group: boolean) {
  // A process group may outlive its leader.
  if (child.pid === undefined || (!group && (child.exitCode !== null || child.signalCode !== null)))
    return
  // Windows has no signals, and ends a process alone, without what it started.
  if (isWindows)
    return void spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)], { stdio: 'ignore' })
  try {
    process.kill(group ? -child.pid : child.pid, signal)
  } catch {
    // The command has ended, and its exit event is about to come.
  }
}

/**
 * Kills it when it has not ended in time after the second signal, or at the third. @throws
 * UsageError if it cannot be started
 */
export async function startCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdin, stdout, stderr, stdio, signals }: Terminal,
): Promise<number> {
  // In a terminal, the command stays in the foreground; otherwise it gets a process group, so that
  // signals reach its children.
  const command = spawnCommand(words, {
    env,
    stdio: stdio ?? ['ignore', 'pipe', 'pipe'],
    ownGroup: !stdin.isTTY,
  })
  const { child, kill } = command
  const forget = endWithProcess(command)
  child.stdout?.on('data', (chunk) => stdout.write(chunk))
  child.stderr?.on('data', (chunk) => stderr.write(chunk))
  const isNew = createSignalFilter(stdin)
  let count = 0
  let stopTimer = () => {}
  const passOn = (signal: NodeJS.Signals) => {
    // The terminal has already sent Ctrl-C to the command; it must not get a second one.
    if (signal !== 'SIGINT' || !stdin.isTTY) kill(signal)
    if (!isNew(signal)) return
    count++
    if (count === 2) stopTimer = after(gracePeriod, () => kill('SIGKILL'))
    else if (count > 2) kill('SIGKILL')
  }
  for (const signal of stopSignals) signals.on(signal, passOn)
  try {
    return await waitForEnd(words, child, 'close', env)
  } finally {
    stopTimer()
    forget()
    for (const signal of stopSignals) signals.off(signal, passOn)
  }
}

/**
 * Returns the exit code of a command, 128 or more after a signal, when it has ended, or when its
 * output is closed too. @throws UsageError if it cannot be started.
 */
export function waitForEnd(
  words: readonly string[],
  child: ChildProcess,
  event: 'exit' | 'close',
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(explainStartError(words, error, env['PATH'])),
    )
    child.once(event, (code: number | null, signal: NodeJS.Signals) =>
      resolve(code ?? signalCode(signal)),
    )
  })
}

/**
 * Returns the environment of a command: the server's addresses and keys. A plan without a usable
 * key has no variable, not even an inherited one.
 */
export async function toCommandEnvironment(
  serving: Started,
  token: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const url = toOwnUrl(serving.server.url)
  const { plants_url, apps_url, keys } = await describeStart({
    ...serving,
    server: { ...serving.server, url },
  })
  const { plans } = serving.greenhouse.catalogue
  const ofPlan = (plan: string) =>
    Object.entries(keys).find(([, key]) => key.plan === plan && key.note === undefined)?.[0]
  return {
    ...env,
    ...withoutProxy(env, [new URL(url).hostname]),
    PLANTS_BASE_URL: plants_url,
    APPS_BASE_URL: apps_url,
    GREENHOUSE_URL: url,
    ...(serving.world !== 'default' && { GREENHOUSE_WORLD: serving.world }),
    GREENHOUSE_TOKEN: token,
    // The port is in use: a server that the command starts needs its own.
    GREENHOUSE_PORT: undefined,
    ...Object.fromEntries(
      plans.map((plan) => [
        `GREENHOUSE_KEY_${plan.toUpperCase().replaceAll('-', '_')}`,
        ofPlan(plan),
      ]),
    ),
  }
}
