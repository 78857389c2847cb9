import type { Exchange } from './exchange.ts'

/** The most characters for the names of scenarios that acted, and as many for those that did not. */
const longest = 400

/** How many ways in which scenarios act are kept for one operation: most requests are like others. */
const mostKept = 64

const none: readonly string[] = []

/**
 * What the header X-Greenhouse tells: the world, the operation, the scenarios that acted on this request, and as idle those
 * that are active and did not: `world=default; operation=plants.list; scenario=slow; idle=expired-key`.
 */
export function toTrace(exchange: Exchange): string {
  return `world=${exchange.world.name}${toRest(exchange)}`
}

/** The parts that are the same in every world. */
function toRest(exchange: Exchange): string {
  const { operation, overlay, verdicts } = exchange
  const { bits } = verdicts
  if (bits < 0) return writeRest(exchange)
  let known = overlay.traces.get(operation)
  if (!known) overlay.traces.set(operation, (known = new Map()))
  let rest = known.get(bits)
  if (rest === undefined) {
    if (known.size >= mostKept) known.clear()
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

/** `slow,expired-key`, and where there are too many how many more: `slow,+41`. */
function toNames(names: readonly string[]): string {
  let text = ''
  for (let place = 0; place < names.length; place++) {
    const name = names[place]!
    const next = text === '' ? name : `${text},${name}`
    if (next.length > longest) return `${text === '' ? '' : `${text},`}+${names.length - place}`
    text = next
  }
  return text
}
