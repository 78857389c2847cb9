import type { Exchange } from './exchange.ts'

/** The most characters that names of scenarios take, of those that acted and of those that did not. */
const longest = 400

/**
 * What the header X-Greenhouse tells: the world, the operation, the scenarios that acted on this request, and as idle those
 * that are active and did not: `world=default; operation=plants.list; scenario=slow; idle=expired-key`.
 */
export function toTrace({ world, operation, overlay, verdicts }: Exchange): string {
  let trace = `world=${world.name}`
  if (operation) trace += `; operation=${operation.id}`
  if (overlay.scenarios.length === 0) return trace
  const acted = new Set<string>()
  for (const { scenario, fired } of verdicts) if (fired) acted.add(scenario)
  const active = [...new Set(overlay.scenarios.map(({ name }) => name))]
  if (acted.size > 0) trace += `; scenario=${toNames(active.filter((name) => acted.has(name)))}`
  if (acted.size < active.length) trace += `; idle=${toNames(active.filter((name) => !acted.has(name)))}`
  return trace
}

/** `slow,expired-key`, and where there are too many how many more: `slow,+41`. */
function toNames(names: readonly string[]): string {
  let text = ''
  for (const [place, name] of names.entries()) {
    const next = text === '' ? name : `${text},${name}`
    if (next.length > longest) return `${text === '' ? '' : `${text},`}+${names.length - place}`
    text = next
  }
  return text
}
