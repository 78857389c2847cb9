import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { after } from '../core/time/clock.ts'
import { createSignalFilter, grace } from './ending.ts'
import { UsageError } from './errors.ts'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const isWindows = process.platform === 'win32'

/**
 * Runs a command with this process's own input and output and gives its exit code, 128 and more where a signal ended it.
 * One word with spaces in it goes to a shell. Signals to this process are passed on; a command that has not ended within the
 * grace after the second one is killed, with a third one at once.
 * @throws UsageError when it can't be started.
 */
export async function startCommand(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program, ...args] = words as [string, ...string[]]
  const isScript = words.length === 1 && /\s/.test(program)
  // In a terminal the command stays in the foreground; without one it gets a process group, so that signals reach what it starts.
  const ownGroup = !isWindows && !process.stdin.isTTY
  const child =
    isScript || isWindows
      ? spawn(isScript ? program : words.map(quote).join(' '), {
          stdio: 'inherit',
          env,
          shell: true,
          detached: ownGroup,
        })
      : spawn(program, args, { stdio: 'inherit', env, detached: ownGroup })
  const isNew = createSignalFilter()
  let signals = 0
  let stopTimer = () => {}
  const passOn = (signal: NodeJS.Signals) => {
    // The keyboard's Ctrl-C has reached the command already: once more would be a second one.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) kill(child, signal, ownGroup)
    if (!isNew(signal)) return
    signals++
    if (signals === 2) stopTimer = after(grace, () => kill(child, 'SIGKILL', ownGroup))
    else if (signals > 2) kill(child, 'SIGKILL', ownGroup)
  }
  for (const signal of passedOn) process.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(program, error)))
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
    })
  } finally {
    stopTimer()
    for (const signal of passedOn) process.off(signal, passOn)
  }
}

function kill(child: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return
  try {
    process.kill(group ? -child.pid : child.pid, signal)
  } catch {
    // It has ended; its exit is on the way.
  }
}

function toStartError(program: string, { code, message }: NodeJS.ErrnoException): UsageError {
  const reason =
    code === 'ENOENT' ? 'the command was not found on the PATH' : code === 'EACCES' ? 'permission denied' : message
  return new UsageError(
    `Failed to run "${program}": ${reason}.${code === 'ENOENT' ? ' Run a command of a package with npx.' : ''}`,
  )
}

function quote(word: string): string {
  return /[\s"&|<>^]/.test(word) ? `"${word.replaceAll('"', '""')}"` : word
}
