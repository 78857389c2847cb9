import { constants } from 'node:os'
import { after } from '../core/time/clock.ts'
import { createSignalFilter, grace } from './ending.ts'
import { endWithProcess, spawnCommand, toStartError } from './spawn-command.ts'
import type { Terminal } from './terminal.ts'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command with the input and output of this one and gives its exit code, 128 and more where a signal ended it.
 * One word with spaces in it goes to a shell. Signals to this process are passed on; a command that has not ended within the
 * grace after the second one is killed, with a third one at once.
 * @throws UsageError when it can't be started.
 */
export async function startCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdin, stdout, stderr, stdio, signals }: Pick<Terminal, 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'signals'>,
): Promise<number> {
  // In a terminal the command stays in the foreground; without one it gets a process group, so that signals reach what it starts.
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
    // The keyboard's Ctrl-C has reached the command already: once more would be a second one.
    if (signal !== 'SIGINT' || !stdin.isTTY) kill(signal)
    if (!isNew(signal)) return
    count++
    if (count === 2) stopTimer = after(grace, () => kill('SIGKILL'))
    else if (count > 2) kill('SIGKILL')
  }
  for (const signal of passedOn) signals.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(words, error)))
      child.once(stdio === 'inherit' ? 'exit' : 'close', (code, signal) => resolve(toExitCode(code, signal)))
    })
  } finally {
    stopTimer()
    forget()
    for (const signal of passedOn) signals.off(signal, passOn)
  }
}

/** 128 and the signal's number where a signal ended a process, as a shell has it. */
export function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + constants.signals[signal!]
}
