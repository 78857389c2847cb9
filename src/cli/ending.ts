import { constants } from 'node:os'
import { after, monotonicNow } from '../core/time/clock.ts'
import type { Terminal } from './terminal.ts'

/** How long the end of the process may take, in milliseconds, whatever is still open. */
export const grace = 2_000

/** How long a reader may take for what was printed last, in milliseconds. */
const lastWait = 200

const signals = ['SIGINT', 'SIGTERM'] as const

/** Resolves with the first SIGINT or SIGTERM that comes; from then on another one ends the process at once. */
export function untilSignal(terminal: Terminal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const told = createSignalFilter(terminal.stdin)
    const first = (signal: NodeJS.Signals) => {
      for (const one of signals) terminal.signals.off(one, first)
      told(signal)
      exitOnSignals(terminal, told)
      resolve(signal)
    }
    for (const signal of signals) terminal.signals.on(signal, first)
  })
}

/**
 * Ends the process with `code` once `close` is done and what was printed has been read, within the grace in any case. A signal
 * ends it at once. It does not wait for the process to take its memory apart.
 * @param close may give another code.
 */
export async function endProcess(terminal: Terminal, code: number, close: () => Promise<number | void>): Promise<void> {
  terminal.willExit?.(code)
  const endGrace = after(grace, () => terminal.exit(code), false)
  exitOnSignals(terminal)
  const last = (await close()) ?? code
  const endWait = after(lastWait, () => terminal.exit(last), false)
  for (const stream of [terminal.stdout, terminal.stderr])
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  endGrace()
  endWait()
  terminal.exit(last)
}

const exiting = new WeakSet<Terminal>()

/** 128 and the signal's number, as a shell has it. */
function exitOnSignals(terminal: Terminal, isNew = createSignalFilter(terminal.stdin)): void {
  if (exiting.has(terminal)) return
  exiting.add(terminal)
  for (const signal of signals)
    terminal.signals.on(signal, () => {
      if (isNew(signal)) terminal.exit(128 + constants.signals[signal])
    })
}

/** A second Ctrl-C within this time is ignored, in milliseconds. */
const echo = 100

/** Makes what tells whether a signal is one of its own: npm passes the keyboard's Ctrl-C on although it has reached this process already. */
export function createSignalFilter(stdin: Terminal['stdin']): (signal: NodeJS.Signals) => boolean {
  let last = -Infinity
  return (signal) => {
    if (signal !== 'SIGINT' || !stdin.isTTY) return true
    const now = monotonicNow()
    const isNew = now - last > echo
    last = now
    return isNew
  }
}
