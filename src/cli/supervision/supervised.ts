import { constants } from 'node:os'
import { Socket } from 'node:net'
import { UsageError } from '../errors.ts'
import type { Supervisor } from '../terminal.ts'
import { linkNumber, onMessage, passedOn, send, type Order } from './link.ts'

type PassedOn = (typeof passedOn)[number]

/** Joins a process to the supervisor that started it: takes its signals from there, and ends when it is gone. */
export function joinSupervisor(own: NodeJS.Process): Supervisor {
  const link = new Socket({ fd: linkNumber, readable: true, writable: true }).unref()
  const relay = takeSignals(own, (signal) => send(link, { listens: signal }))
  let settle = (_: Order) => {}
  onMessage<Order>(link, (order) => ('signal' in order ? relay(order.signal as PassedOn) : settle(order)))
  link.on('close', () => own.exit(1))
  return {
    hold(target) {
      send(link, { holds: target })
      return () => send(link, { drops: target })
    },
    async startCommand(words, env) {
      const ignore = () => undefined
      // They are for the command, to which the supervisor passes them on.
      for (const signal of passedOn) own.on(signal, ignore)
      link.ref()
      const order = await new Promise<Order>((resolve) => {
        settle = resolve
        send(link, { runs: words, env })
      })
      link.unref()
      for (const signal of passedOn) own.off(signal, ignore)
      if ('problem' in order) throw new UsageError(order.problem)
      return (order as { code: number }).code
    },
  }
}

/**
 * Lets a process hear each signal once that was meant for it and its supervisor: a Ctrl-C and whatever stops a process group
 * reach both, and the supervisor passes it on. Returns what takes one from there.
 * @param tell is told of each signal that somebody begins to listen to
 */
function takeSignals(own: NodeJS.Process, tell: (signal: PassedOn) => void): (signal: PassedOn) => void {
  const direct = countSignals()
  const relayed = countSignals()
  // Node hands signals to the `emit` that is there when the first listener comes.
  const emit = own.emit as (event: string | symbol, ...rest: unknown[]) => boolean
  own.emit = ((event: string | symbol, ...rest: unknown[]) => {
    if (isPassedOn(event) && ++direct[event] <= relayed[event]) return true
    return emit.call(own, event, ...rest)
  }) as typeof own.emit
  const told = new Set<PassedOn>()
  own.on('newListener', (event: string | symbol) => {
    if (!isPassedOn(event) || told.has(event)) return
    told.add(event)
    tell(event)
  })
  return (signal) => {
    if (++relayed[signal] > direct[signal] && !emit.call(own, signal, signal, constants.signals[signal]))
      own.kill(own.pid, signal)
  }
}

function countSignals(): Record<PassedOn, number> {
  return { SIGINT: 0, SIGTERM: 0, SIGHUP: 0 }
}

function isPassedOn(event: string | symbol): event is PassedOn {
  return (passedOn as readonly (string | symbol)[]).includes(event)
}
