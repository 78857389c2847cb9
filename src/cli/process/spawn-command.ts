import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process'
import spawnProgram from 'cross-spawn'
import { UsageError } from '../errors.ts'
import type { Supervisor } from '../terminal.ts'

const isWindows = process.platform === 'win32'

/** The exit code of shells for a command that was not found. */
export const notFoundCode = 127

interface CommandOptions {
  readonly env: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
  readonly ownGroup: boolean
}

interface StartedCommand {
  readonly child: ChildProcess
  kill(signal: NodeJS.Signals): void
  readonly target: number | undefined
}

/** Starts a command; one word with spaces goes to a shell. Its event `error` reports a failed start: see `toStartError`. */
export function spawnCommand(words: readonly string[], { env, stdio, ownGroup }: CommandOptions): StartedCommand {
  const [program, ...args] = words as [string, ...string[]]
  const isScript = words.length === 1 && /\s/.test(program)
  const isGroup = ownGroup && !isWindows
  const options = { stdio, env, detached: isGroup }
  const child = isScript ? spawn(program, { ...options, shell: true }) : spawnProgram(program, args, options)
  const target = child.pid === undefined || !isGroup ? child.pid : -child.pid
  return { child, kill: (signal) => kill(child, signal, isGroup), target }
}

const running = new Set<StartedCommand>()
let isWatchingExit = false

/** Kills a command when this process exits; a supervisor does so too when this process is killed. Returns a function that releases it. */
export function endWithProcess(command: StartedCommand, supervisor?: Supervisor): () => void {
  // On the process itself, whichever program it runs.
  // oxlint-disable-next-line no-restricted-properties
  if (!isWatchingExit) process.on('exit', endCommands)
  isWatchingExit = true
  running.add(command)
  const drop = command.target === undefined ? undefined : supervisor?.addChild(command.target)
  return () => {
    running.delete(command)
    drop?.()
  }
}

export function endCommands(): void {
  for (const { kill } of running) kill('SIGKILL')
}

/** Why a command cannot be started, and the exit code of shells for that. */
const reasons: Readonly<Record<string, readonly [reason: string, exitCode: number]>> = {
  ENOENT: ['the command was not found on the PATH. Run a command of a package with npx.', notFoundCode],
  EACCES: ['permission denied.', 126],
}

/** Explains why a command cannot be started. */
export function toStartError(
  [program]: readonly string[],
  { code, message }: Partial<NodeJS.ErrnoException>,
): UsageError {
  const [reason, exitCode] = reasons[code ?? ''] ?? [`${message}.`, 2]
  return new UsageError(`Failed to run "${program}": ${reason}`, exitCode)
}

function kill(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  // A process group may outlive its leader.
  if (child.pid === undefined || (!group && (child.exitCode !== null || child.signalCode !== null))) return
  // Windows has no signals, and ends a process alone, without what it started.
  if (isWindows) return void spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)], { stdio: 'ignore' })
  try {
    process.kill(group ? -child.pid : child.pid, signal)
  } catch {
    // The command has ended, and its exit event is about to come.
  }
}
