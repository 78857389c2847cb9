import type { ChildProcess } from 'node:child_process'
import { gracePeriod } from './shutdown.ts'

let guard: ChildProcess | undefined

/**
 * Ends this process on Ctrl-C even if the user's code keeps it busy for ever: Node calls no signal handler then. Ctrl-C reaches all
 * processes of a terminal, so one next to this one hears it too, asks this one for a sign of life, and kills it if there is none.
 */
export async function startGuard(env: NodeJS.ProcessEnv): Promise<void> {
  if (guard) return
  // No start without handlers needs this module.
  const { spawn } = process.getBuiltinModule('node:child_process')
  guard = spawn(process.execPath, ['-e', `(${watch.toString()})(process, ${gracePeriod})`], {
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
export function tellGuard(message: 'alive' | readonly number[]): void {
  guard?.send(message, () => undefined)
}

/** The program of the guard, as source for `node -e`: it uses nothing of this file. */
function watch(own: NodeJS.Process, patience: number): void {
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
  for (const signal of ['SIGINT', 'SIGTERM'])
    own.on(signal, () => {
      // Nobody has answered the first one.
      if (timer) return end()
      timer = timers.setTimeout(end, patience)
      own.send!('alive?')
    })
  own.on('message', (message: 'alive' | readonly number[]) => {
    if (message !== 'alive') targets = message
    else {
      timers.clearTimeout(timer)
      timer = undefined
    }
  })
  own.on('disconnect', () => own.exit())
  own.send!('alive?')
}
