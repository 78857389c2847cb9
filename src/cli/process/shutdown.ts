import { afterIfAlive, monotonicNow } from '../../core/time/clock.ts'
import type { Terminal } from '../terminal.ts'
import type { ChildProcess } from 'node:child_process'

/** The longest time for ending the process, in milliseconds. */
export const gracePeriod = 2_000

/** The longest wait for a reader of the last output, in milliseconds. */
const lastWait = 200

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** After the first signal, another one ends the process immediately. */
export function waitForSignal(terminal: Terminal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const isNewSignal = createSignalFilter(terminal.stdin)
    const first = (signal: NodeJS.Signals) => {
      for (const one of stopSignals) terminal.signals.off(one, first)
      isNewSignal(signal)
      exitOnSignals(terminal, isNewSignal)
      resolve(signal)
    }
    for (const signal of stopSignals) terminal.signals.on(signal, first)
  })
}

export function stopOnSignal(terminal: Terminal, onStop: () => void = () => undefined) {
  const controller = new AbortController()
  const stopped: {
    readonly signal: AbortSignal
    code?: number
  } = { signal: controller.signal }
  void waitForSignal(terminal).then((signal) => {
    stopped.code = signalCode(signal)
    onStop()
    controller.abort()
  })
  return stopped
}

/**
 * Always ends within the grace period; a signal ends it immediately. @param close may return
 * another code
 */
export async function shutDown(
  terminal: Terminal,
  code: number,
  close: () => Promise<number | void>,
) {
  terminal.willExit?.(code)
  const endGrace = afterIfAlive(gracePeriod, () => terminal.exit(code))
  exitOnSignals(terminal)
  const last = (await close()) ?? code
  const endWait = afterIfAlive(lastWait, () => terminal.exit(last))
  for (const stream of [terminal.stdout, terminal.stderr])
    if (stream.writableLength > 0)
      await new Promise<void>((resolve) => stream.write('', () => resolve()))
  endGrace()
  endWait()
  terminal.exit(last)
}

const exiting = new WeakSet<Terminal>()

function exitOnSignals(terminal: Terminal, isNew = createSignalFilter(terminal.stdin)) {
  if (exiting.has(terminal)) return
  exiting.add(terminal)
  for (const signal of stopSignals)
    terminal.signals.on(signal, () => {
      if (isNew(signal)) terminal.exit(signalCode(signal))
    })
}

/** A second Ctrl-C within this time is ignored, in milliseconds. */
const echo = 100

/** npm repeats the terminal's Ctrl-C, which has already reached this process. */
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

/** Loads `node:os` on first use: no start needs it. */
export function signalCode(signal: NodeJS.Signals): number {
  return 128 + process.getBuiltinModule('node:os').constants.signals[signal]
}

let guard: ChildProcess | undefined

/**
 * Ends this process on Ctrl-C even if the user's code keeps it busy for ever: Node calls no signal
 * handler then. Ctrl-C reaches all processes of a terminal, so one next to this one hears it too,
 * asks this one for a sign of life, and kills it if there is none.
 */
export async function startGuard(env: NodeJS.ProcessEnv) {
  if (guard) return
  // No start without handlers needs this module.
  const { spawn } = process.getBuiltinModule('node:child_process')
  guard = spawn(process.execPath, ['-e', `(${watchParent.toString()})(process, ${gracePeriod})`], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A debugger is not for this one.
    env: { ...env, NODE_OPTIONS: '' },
  })
  const started = guard
  started.on('message', () => tellGuard('alive'))
  // It is ready with its first question. One that cannot be started guards nothing.
  await new Promise((resolve) => {
    for (const event of ['message', 'error', 'exit']) started.on(event, resolve)
  })
  started.unref()
  started.channel?.unref()
}

/** @param message a sign of life, or the processes that end with this one */
export function tellGuard(message: 'alive' | readonly number[]) {
  guard?.send(message, () => undefined)
}

/** The program of the guard, as source for `node -e`: it uses nothing of this file. */
function watchParent(own: NodeJS.Process, patience: number) {
  const { ppid } = own
  const timers = own.getBuiltinModule('node:timers')
  let targets: readonly number[] = []
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    for (const target of [ppid, ...targets])
      try {
        own.kill(target, 'SIGKILL')
      } catch {
        // It has ended.
      }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    own.on(signal, () => {
      // Nobody has answered the first one.
      if (timer) return end()
      timer = timers.setTimeout(end, patience)
      own.send?.('alive?')
    })
  own.on('message', (message: 'alive' | readonly number[]) => {
    if (message !== 'alive') targets = message
    else {
      timers.clearTimeout(timer)
      timer = undefined
    }
  })
  own.on('disconnect', () => own.exit())
  own.send?.('alive?')
}
