import type { Exchange } from './exchange.ts'

/** The most characters for the names of the scenarios that acted, and as many for the idle ones. */
const longest = 400

const maxKept = 64

const none: readonly string[] = []

export const traceHeader = 'X-Greenhouse'

/**
 * Returns the header X-Greenhouse: world, operation, the scenarios that acted, and as `idle` the active ones that did
 * not: `world=default; operation=plants.list; scenario=slow; idle=expired-key`.
 */
export function toTrace(exchange: Exchange): string {
  return `world=${exchange.world.name}${toActivity(exchange)}`
}

function toActivity(exchange: Exchange): string {
  const { operation, overlay, verdicts } = exchange
  const { bits } = verdicts
  if (bits < 0) return writeRest(exchange)
  let known = overlay.traces.get(operation)
  if (!known) overlay.traces.set(operation, (known = new Map()))
  let rest = known.get(bits)
  if (rest === undefined) {
    if (known.size >= maxKept) known.clear()
    known.set(bits, (rest = writeRest(exchange)))
  }
  return rest
}

function writeRest({ operation, overlay, verdicts }: Exchange): string {
  const named = operation ? `; operation=${operation.id}` : ''
  const active = overlay.scenarioNames
  if (active.length === 0) return named
  const acted = verdicts.fired === 0 ? none : active.filter((name) => verdicts.hasActed(name))
  const idle = active.length === acted.length ? none : active.filter((name) => !acted.includes(name))
  return `${named}${acted.length > 0 ? `; scenario=${toNames(acted)}` : ''}${idle.length > 0 ? `; idle=${toNames(idle)}` : ''}`
}

function toNames(names: readonly string[]): string {
  let text = ''
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!
    const next = text === '' ? name : `${text},${name}`
    if (next.length > longest) return `${text === '' ? '' : `${text},`}+${names.length - index}`
    text = next
  }
  return text
}
