import { spawn } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { isatty } from 'node:tty'
import { after } from '../../../core/time/clock.ts'
import { exitCode } from '../../errors.ts'
import { endCommands, startCommand } from '../run-command.ts'
import { createSignalFilter, gracePeriod, signalCode } from '../shutdown.ts'
import { onMessage, forwardedSignals, sendMessage, supervisedName, type SupervisedMessage } from './link.ts'

/** The time for an idle process to end by itself after the second signal, in milliseconds. */
const exitDelay = 100

/** The commands that run the user's code, and the longest time for their end, in milliseconds. `flip` also waits for its commands. */
const shutdownTimeouts = { serve: gracePeriod, run: gracePeriod, flip: 2 * gracePeriod }

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
