import type { Exchange } from './exchange.ts'

export const traceHeader = 'X-Greenhouse'

const longestNames = 400

/**
 * `world=default; operation=plants.list; scenario=slow; idle=expired-key`: `idle` are the scenarios
 * that did not act.
 */
export function toTrace({ world, operation, effectiveSettings, verdicts }: Exchange): string {
  let trace = `world=${world.name}`
  if (operation) trace += `; operation=${operation.id}`
  const active = effectiveSettings.scenarioNames
  // Most requests end here: the lists below cost a tenth of a request.
  if (active.length === 0) return trace
  const changing = verdicts.actingScenarios()
  const acted = active.filter((name) => changing.includes(name))
  const idle = active.filter((name) => !acted.includes(name))
  if (acted.length > 0) trace += `; scenario=${toNameList(acted)}`
  if (idle.length > 0) trace += `; idle=${toNameList(idle)}`
  return trace
}

function toNameList(names: readonly string[]): string {
  let text = ''
  for (const [index, name] of names.entries()) {
    const before = text === '' ? '' : `${text},`
    if (before.length + name.length > longestNames) return `${before}+${names.length - index}`
    text = before + name
  }
  return text
}
