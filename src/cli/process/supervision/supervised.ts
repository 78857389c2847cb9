import { Socket } from 'node:net'
import { UsageError } from '../../errors.ts'
import type { Supervisor } from '../../terminal.ts'
import { linkNumber, onMessage, forwardedSignals, sendMessage, type SupervisorMessage } from './link.ts'
import { numberOfSignal } from '../shutdown.ts'

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
