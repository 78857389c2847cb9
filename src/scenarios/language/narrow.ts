import type { Contract } from '../../core/pipeline/area.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import { globFilter } from '../../core/text/values.ts'
import type { ConditionName, Conditions } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import { whereNames } from './options.ts'
import { type Narrowing, rejectOptions } from './choose-options.ts'

/** Returns why a condition can't narrow these effects; `undefined` if it can. */
export function whyNotNarrowed(name: ConditionName, effects: ParsedEffects): string | undefined {
  return effects.find(
    ({ kind: { narrowedBy } }) => narrowedBy && !narrowedBy.conditions.includes(name),
  )?.kind.narrowedBy?.why
}

/**
 * Adds conditions to all effects of a scenario, so that they act on fewer requests. @throws
 * RejectedOptionError if an effect does not take them, or none would ever act.
 */
export function narrow(
  scenario: string,
  effects: ParsedEffects,
  by: Narrowing,
  contract: Contract,
): ParsedEffects {
  const names = Object.keys(by) as ConditionName[]
  for (const name of names) {
    const why = whyNotNarrowed(name, effects)
    if (why !== undefined) rejectOptions(scenario, [name], `it can't be narrowed by this: ${why}.`)
  }
  const { on } = by
  const ids = contract.operations.map(({ id }) => id)
  if (on !== undefined && !ids.some(globFilter(on)))
    rejectOptions(
      scenario,
      ['on'],
      describeProblem(`no operation is called ${quote(on)}`, on, ids) + contract.missingAreasNote,
    )
  const narrowed = effects.map(({ kind, spec }) => ({
    kind,
    spec: (spec as readonly Conditions[]).map((item) => narrowItem(item, by, ids)),
  }))
  if (narrowed.every(({ spec }) => spec.every(isNever)))
    rejectOptions(
      scenario,
      names,
      'it would never act: its file limits it to other requests already',
    )
  for (const { kind, spec } of narrowed) {
    const [wrong] = kind.check(spec, contract)
    if (wrong) rejectOptions(scenario, names, wrong.message)
  }
  return narrowed
}

/**
 * An effect that never acts stays in its list, because the journal names effects by their
 * positions.
 */
const isNever = ({ times }: Conditions) => times === 0

function narrowItem(item: Conditions, by: Narrowing, ids: readonly string[]): Conditions {
  const { on, where, times } = item
  const operations = commonOperations(on, by.on, ids)
  const callers = { ...where }
  let isExcluded = operations?.length === 0
  for (const name of whereNames) {
    const wanted = by[name]
    if (wanted === undefined) continue
    const own = callers[name] ?? 'any'
    if (own !== 'any' && own !== wanted) isExcluded = true
    callers[name] = wanted as never
  }
  if (isExcluded)
    return {
      ...item,
      times: 0,
    }
  const narrowed: Conditions = { ...item }
  if (operations !== undefined) narrowed.on = operations
  if (Object.keys(callers).length > 0) narrowed.where = callers
  if (by.times !== undefined) narrowed.times = Math.min(times ?? Infinity, by.times)
  return narrowed
}

/** Returns the operations that both conditions name, as the shortest condition. */
function commonOperations(
  own: Conditions['on'],
  wanted: string | undefined,
  ids: readonly string[],
): Conditions['on'] {
  if (wanted === undefined) return own
  const matches = globFilter(wanted)
  const [all, common] = [ids.filter(matches), ids.filter(globFilter(own)).filter(matches)]
  if (common.length === all.length) return wanted
  return common
}
