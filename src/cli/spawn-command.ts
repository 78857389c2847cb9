import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { UsageError } from './errors.ts'
import type { Supervisor } from './terminal.ts'

const isWindows = process.platform === 'win32'

/** How a command is started. */
export interface CommandOptions {
  readonly env: NodeJS.ProcessEnv
  readonly stdio: StdioOptions
  /** Whether it gets a process group of its own, so that signals reach what it starts; there are none on Windows. */
  readonly ownGroup: boolean
}

/** A command that was started. */
export interface StartedCommand {
  readonly child: ChildProcess
  /** Signals it, and with a group of its own also what it started. */
  kill(signal: NodeJS.Signals): void
  /** What `process.kill` means it by; none when it can't be started. */
  readonly target: number | undefined
}

/** Starts a command; one word with spaces in it goes to a shell. That it can't be started its event `error` tells: see `toStartError`. */
export function spawnCommand(words: readonly string[], { env, stdio, ownGroup }: CommandOptions): StartedCommand {
  const [program, ...args] = words as [string, ...string[]]
  const isScript = words.length === 1 && /\s/.test(program)
  const isGroup = ownGroup && !isWindows
  const child =
    isScript || isWindows
      ? spawn(isScript ? program : words.map(quote).join(' '), { stdio, env, shell: true, detached: isGroup })
      : spawn(program, args, { stdio, env, detached: isGroup })
  const target = child.pid === undefined || !isGroup ? child.pid : -child.pid
  return { child, kill: (signal) => kill(child, signal, isGroup), target }
}

/** The commands that run now. */
const running = new Set<StartedCommand>()
let isWatchingExit = false

/** Lets a command not outlive this process, however that ends. Returns what lets it. */
export function endWithProcess(command: StartedCommand, supervisor?: Supervisor): () => void {
  // Of the process itself, whoever runs the command in it.
  // oxlint-disable-next-line no-restricted-properties
  if (!isWatchingExit) process.on('exit', endCommands)
  isWatchingExit = true
  running.add(command)
  const drop = command.target === undefined ? undefined : supervisor?.hold(command.target)
  return () => {
    running.delete(command)
    drop?.()
  }
}

/** Kills the commands that run now. */
export function endCommands(): void {
  for (const { kill } of running) kill('SIGKILL')
}

/** What to say where a command can't be started. */
export function toStartError([program]: readonly string[], { code, message }: NodeJS.ErrnoException): UsageError {
  const reason =
    code === 'ENOENT' ? 'the command was not found on the PATH' : code === 'EACCES' ? 'permission denied' : message
  return new UsageError(
    `Failed to run "${program}": ${reason}.${code === 'ENOENT' ? ' Run a command of a package with npx.' : ''}`,
  )
}

function kill(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  // A group may outlive the command that it is named after.
  if (child.pid === undefined || (!group && (child.exitCode !== null || child.signalCode !== null))) return
  try {
    process.kill(group ? -child.pid : child.pid, signal)
  } catch {
    // It has ended; its exit is on the way.
  }
}

function quote(word: string): string {
  return /[\s"&|<>^]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word
}
