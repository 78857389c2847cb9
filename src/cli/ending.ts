import { constants } from 'node:os'
import { after, monotonicNow } from '../core/time/clock.ts'

/** How long the end of the process may take, in milliseconds, whatever is still open. */
export const grace = 2_000

/** How long a reader may take for what was printed last, in milliseconds. */
const lastWait = 200

const signals = ['SIGINT', 'SIGTERM'] as const

/** Resolves with the first SIGINT or SIGTERM that comes; from then on another one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const told = createSignalFilter()
    const first = (signal: NodeJS.Signals) => {
      for (const one of signals) process.off(one, first)
      told(signal)
      exitOnSignals(told)
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, first)
  })
}

/**
 * Ends the process with `code` once `close` is done and what was printed has been read, within the grace in any case. A signal
 * ends it at once. It does not wait for the process to take its memory apart.
 * @param close may give another code.
 */
export async function endProcess(code: number, close: () => Promise<number | void>): Promise<never> {
  process.exitCode = code
  after(grace, () => process.exit(code), false)
  exitOnSignals()
  const last = (await close()) ?? code
  after(lastWait, () => process.exit(last), false)
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableLength > 0) await new Promise<void>((resolve) => stream.write('', () => resolve()))
  process.exit(last)
}

let exitsOnSignals = false

/** 128 and the signal's number, as a shell has it. */
function exitOnSignals(isNew: (signal: NodeJS.Signals) => boolean = createSignalFilter()): void {
  if (exitsOnSignals) return
  exitsOnSignals = true
  for (const signal of signals)
    process.on(signal, () => {
      if (isNew(signal)) process.exit(128 + constants.signals[signal])
    })
}

/** A second Ctrl-C within this time is ignored, in milliseconds. */
const echo = 100

/** Makes what tells whether a signal is one of its own: npm passes the keyboard's Ctrl-C on although it has reached this process already. */
export function createSignalFilter(): (signal: NodeJS.Signals) => boolean {
  let last = -Infinity
  return (signal) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) return true
    const now = monotonicNow()
    const isNew = now - last > echo
    last = now
    return isNew
  }
}
