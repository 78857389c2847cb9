import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { UsageError } from './errors.ts'

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
  return { child, kill: (signal) => kill(child, signal, isGroup) }
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
