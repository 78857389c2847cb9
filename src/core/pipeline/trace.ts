import type { Exchange } from './exchange.ts'

/** The most characters that names of scenarios take, of those that acted and of those that did not. */
const longest = 400

const none: readonly string[] = []

/**
 * What the header X-Greenhouse tells: the world, the operation, the scenarios that acted on this request, and as idle those
 * that are active and did not: `world=default; operation=plants.list; scenario=slow; idle=expired-key`.
 */
export function toTrace({ world, operation, overlay, verdicts }: Exchange): string {
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
