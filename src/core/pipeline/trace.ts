import type { Exchange } from './exchange.ts'

/** The most characters that names of scenarios take, of those that acted and of those that did not. */
const longest = 400

/** How many ways in which scenarios act are kept for one operation: most requests are like others. */
const mostKept = 64

const none: readonly string[] = []

/**
 * What the header X-Greenhouse tells: the world, the operation, the scenarios that acted on this request, and as idle those
 * that are active and did not: `world=default; operation=plants.list; scenario=slow; idle=expired-key`.
 */
export function toTrace(exchange: Exchange): string {
  const { operation, overlay, verdicts } = exchange
  const { bits } = verdicts
  if (bits < 0) return write(exchange)
  let known = overlay.traces.get(operation)
  if (!known) overlay.traces.set(operation, (known = new Map()))
  let trace = known.get(bits)
  if (trace === undefined) {
    if (known.size >= mostKept) known.clear()
    known.set(bits, (trace = write(exchange)))
  }
  return trace
}

function write({ world, operation, overlay, verdicts }: Exchange): string {
  let trace = `world=${world.name}`
  if (operation) trace += `; operation=${operation.id}`
  const active = overlay.scenarioNames
  if (active.length === 0) return trace
  const acted = verdicts.fired === 0 ? none : active.filter((name) => verdicts.hasActed(name))
  if (acted.length > 0) trace += `; scenario=${toNames(acted)}`
  if (acted.length < active.length) trace += `; idle=${toNames(active.filter((name) => !acted.includes(name)))}`
  return trace
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
