import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isatty } from 'node:tty'
import { after } from '../../../core/time/clock.ts'
import { exitCode, UsageError } from '../../errors.ts'
import type { Supervisor } from '../../terminal.ts'
import { endCommands, startCommand } from '../run-command.ts'
import { createSignalFilter, gracePeriod, numberOfSignal, signalCode } from '../shutdown.ts'
import {
  forwardedSignals,
  linkNumber,
  onMessage,
  sendMessage,
  type SupervisedMessage,
  supervisedName,
  type SupervisorMessage,
} from './link.ts'

/** The time for an idle process to end by itself after the second signal, in milliseconds. */
const exitDelay = 100

/** The commands that run the user's code, and the longest time for their end, in milliseconds. `flip` also waits for its commands. */
const shutdownTimeouts = { serve: gracePeriod, run: gracePeriod, flip: 2 * gracePeriod }

// The user's code runs in a child, so that even `for (;;)` ends on Ctrl-C. This parent loads none of it: it passes signals on over a pipe,
// and hears from the child which signals its code listens to, which commands it started, and when it is done.

export function supervise(name: keyof typeof shutdownTimeouts, own: NodeJS.Process): void {
  const child = spawn(own.execPath, [...own.execArgv, ...own.argv.slice(1)], {
    argv0: supervisedName,
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  const link = child.stdio[3] as Duplex
  const stdin = { isTTY: isatty(0) }
  const isNew = createSignalFilter(stdin)
  const listened = new Set<NodeJS.Signals>()
  const childIds = new Set<number>()
  let runsCommand = false
  let signalCount = 0
  let code: number | undefined
  let cancelTimer = () => {}

  const killAfter = (time: number, last: number) => {
    cancelTimer()
    cancelTimer = after(time, () => {
      code = last
      child.kill('SIGKILL')
    })
  }
  const pass = (signal: NodeJS.Signals) => {
    if (!isNew(signal)) return
    // Without a listener, a signal ends even a busy process.
    if (!listened.has(signal)) return void child.kill(signal)
    sendMessage(link, { signal })
    if (runsCommand || (name === 'serve' && signal === 'SIGHUP')) return
    const failed = signalCode(signal)
    signalCount++
    if (signalCount === 1) killAfter(shutdownTimeouts[name], name === 'serve' ? 0 : failed)
    else if (signalCount === 2) killAfter(exitDelay, failed)
  }
  const runCommand = async (words: readonly string[], env: NodeJS.ProcessEnv) => {
    runsCommand = true
    cancelTimer()
    const { stdout, stderr } = own
    const terminal = { stdin, stdout, stderr, stdio: 'inherit', signals: own } as const
    const ended = await startCommand(words, env, terminal).then(
      (code) => ({ code }),
      (error: Error) => ({ problem: error.message, code: exitCode(error) }),
    )
    runsCommand = false
    signalCount = 1
    killAfter(shutdownTimeouts[name], ended.code)
    sendMessage(link, ended)
  }

  for (const signal of forwardedSignals) own.on(signal, pass)
  onMessage<SupervisedMessage>(link, (report) => {
    if ('listens' in report) listened.add(report.listens)
    else if ('holds' in report) childIds.add(report.holds)
    else if ('drops' in report) childIds.delete(report.drops)
    else void runCommand(report.runs, report.env)
  })
  child.once('error', ({ message }) => {
    own.stderr.write(`Failed to start a process: ${message}\n`)
    own.exit(2)
  })
  child.once('exit', (status, signal) => {
    endCommands()
    for (const target of childIds) kill(own, target)
    if (code !== undefined && signal === 'SIGKILL') own.exit(code)
    if (signal === null) own.exit(status!)
    for (const one of forwardedSignals) own.off(one, pass)
    own.kill(own.pid, signal)
    // PID 1 ignores the signal.
    after(exitDelay, () => own.exit(signalCode(signal)))
  })
}

function kill(own: NodeJS.Process, target: number): void {
  try {
    own.kill(target, 'SIGKILL')
  } catch {
    // The child has ended.
  }
}

type PassedOn = (typeof forwardedSignals)[number]

export function connectToSupervisor(own: NodeJS.Process): Supervisor {
  const link = new Socket({ fd: linkNumber, readable: true, writable: true }).unref()
  const relay = takeSignals(own, (signal) => sendMessage(link, { listens: signal }))
  let settle = (_: SupervisorMessage) => {}
  onMessage<SupervisorMessage>(link, (order) => ('signal' in order ? relay(order.signal as PassedOn) : settle(order)))
  link.on('close', () => own.exit(1))
  return {
    addChild(target) {
      sendMessage(link, { holds: target })
      return () => sendMessage(link, { drops: target })
    },
    async startCommand(words, env) {
      const ignore = () => undefined
      // The signals are meant for the command; the supervisor passes them on to it.
      for (const signal of forwardedSignals) own.on(signal, ignore)
      link.ref()
      const order = await new Promise<SupervisorMessage>((resolve) => {
        settle = resolve
        sendMessage(link, { runs: words, env })
      })
      link.unref()
      for (const signal of forwardedSignals) own.off(signal, ignore)
      const { code, problem } = order as Exclude<SupervisorMessage, { signal: unknown }>
      if (problem !== undefined) throw new UsageError(problem, code)
      return code
    },
  }
}

/**
 * Delivers each signal once: Ctrl-C and signals to the process group reach both processes, and the supervisor passes
 * them on. Returns a function that delivers one from the supervisor. @param onListen called with each signal that gets a
 * listener
 */
function takeSignals(own: NodeJS.Process, onListen: (signal: PassedOn) => void): (signal: PassedOn) => void {
  const direct = countSignals()
  const relayed = countSignals()
  // Node uses the `emit` that exists when the first listener is added.
  const emit = own.emit as (event: string | symbol, ...rest: unknown[]) => boolean
  own.emit = ((event: string | symbol, ...rest: unknown[]) => {
    if (isPassedOn(event) && ++direct[event] <= relayed[event]) return true
    return emit.call(own, event, ...rest)
  }) as typeof own.emit
  const announced = new Set<PassedOn>()
  own.on('newListener', (event: string | symbol) => {
    if (!isPassedOn(event) || announced.has(event)) return
    announced.add(event)
    onListen(event)
  })
  return (signal) => {
    if (++relayed[signal] > direct[signal] && !emit.call(own, signal, signal, numberOfSignal(signal)))
      own.kill(own.pid, signal)
  }
}

function countSignals(): Record<PassedOn, number> {
  return { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
}

function isPassedOn(event: string | symbol): event is PassedOn {
  return (forwardedSignals as readonly (string | symbol)[]).includes(event)
}
