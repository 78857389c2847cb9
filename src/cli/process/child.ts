import { after } from '../../core/time/clock.ts'
import { createSignalFilter, gracePeriod } from './shutdown.ts'
import { endWithProcess, spawnCommand, toStartError } from './spawn-command.ts'
import { forwardedSignals } from './supervision/link.ts'
import type { Terminal } from '../terminal.ts'
import { signalCode } from './signal-code.ts'

/**
 * Runs a command with this process's input and output and returns its exit code: 128 or more after a signal. One word
 * with spaces goes to a shell. Passes signals on; kills the command when it has not ended within the grace period after
 * the second signal, or immediately at the third. @throws UsageError if it cannot be started.
 */
export async function startCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdin, stdout, stderr, stdio, signals }: Pick<Terminal, 'stdin' | 'stdout' | 'stderr' | 'stdio' | 'signals'>,
): Promise<number> {
  // In a terminal, the command stays in the foreground; otherwise it gets a process group, so that signals reach its children.
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
  for (const signal of forwardedSignals) signals.on(signal, passOn)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(words, error)))
      child.once(stdio === 'inherit' ? 'exit' : 'close', (code, signal) => resolve(toExitCode(code, signal)))
    })
  } finally {
    stopTimer()
    forget()
    for (const signal of forwardedSignals) signals.off(signal, passOn)
  }
}

export function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? signalCode(signal!)
}
