import { planNames } from '../../core/accounts/accounts.ts'
import { isObject } from '../../core/contract/options.ts'
import type { Contract } from '../../core/pipeline/operation.ts'
import { describeProblem, joinNames, quote, showValue } from '../../core/text/messages.ts'
import { globFilter } from '../../core/text/values.ts'
import { RejectedOptionError } from '../../core/world/effective-settings.ts'
import type { Placeholder } from './check.ts'
import type { ConditionName, Conditions } from './condition.ts'
import type { ParsedEffects } from './effect-kind.ts'
import type { OptionDeclaration } from './option-values.ts'

/** The options by which every scenario can be narrowed when it is switched on. Those that its file declares keep their own meaning. */
export const conditionOptions: Readonly<Record<ConditionName, OptionDeclaration>> = {
  on: { description: 'Which operations, an id or a glob such as plants.*', default: '*' },
  account: { description: 'Which account; any for all', default: 'any' },
  key: { description: 'Which key; any for all', default: 'any' },
  plan: { description: 'Which plan; any for all', values: ['any', ...planNames], default: 'any' },
  times: { description: 'How many times at most; 0 for no limit', type: 'integer', min: 0, default: 0 },
}

const whereNames = ['account', 'key', 'plan'] as const

export type Narrowing = { readonly [Name in Exclude<ConditionName, 'times'>]?: string } & { readonly times?: number }

/** Why a scenario can't be narrowed by a condition; `undefined` if all its effects can. */
export function whyNotNarrowed(name: ConditionName, effects: ParsedEffects): string | undefined {
  return effects.find(({ kind: { narrowedBy } }) => narrowedBy && !narrowedBy.conditions.includes(name))?.kind
    .narrowedBy?.why
}

/**
 * Writes `where: { account }` as the option `account`. @param placeholders those of the file: an option that it declares under
 * such a name may have another meaning. @throws RejectedOptionError
 */
export function withoutWhere(
  scenario: string,
  declared: Readonly<Record<string, OptionDeclaration>>,
  placeholders: readonly Placeholder[],
  chosen: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { where, ...others } = chosen
  if (where === undefined || Object.hasOwn(declared, 'where')) return chosen
  const reject = (reason: string) => {
    throw new RejectedOptionError(`Failed to use "${scenario}": where: ${reason}`, scenario, ['where'], reason)
  }
  if (!isObject(where)) return reject(`expected an object with account, key or plan; ${showValue(where)} was given`)
  const options: Record<string, unknown> = others
  for (const [name, value] of Object.entries(where)) {
    if (!whereNames.some((known) => known === name))
      reject(describeProblem(`there is no such field ${quote(name)}`, name, whereNames, true))
    const isWhere = placeholders.some((one) => one.name === name && String(one.path.slice(-2)) === `where,${name}`)
    if (Object.hasOwn(declared, name) && !isWhere)
      reject(`the scenario has an option "${name}" with another meaning, so it can't be narrowed by it`)
    if (value !== undefined) options[name] = value
  }
  return options
}

/** Narrows the effects of a scenario. @throws RejectedOptionError if they would never act. */
export function narrow(scenario: string, effects: ParsedEffects, by: Narrowing, contract: Contract): ParsedEffects {
  const reject = (names: readonly string[], reason: string) => {
    const which = `${names.length === 1 ? 'option' : 'options'} ${joinNames(names.map(quote), 'and')}`
    throw new RejectedOptionError(
      `Failed to use "${scenario}": the ${which} ${reason}`,
      scenario,
      names,
      `it ${reason}`,
    )
  }
  const { on } = by
  const ids = contract.operations.map(({ id }) => id)
  if (on !== undefined && !ids.some(globFilter(on)))
    reject(['on'], describeProblem(`names no operation: ${quote(on)}`, on, ids) + contract.missing)
  const narrowed = effects.map(({ kind, spec }) => ({
    kind,
    spec: (spec as readonly Conditions[]).map((item) => narrowItem(item, by, ids)),
  }))
  if (narrowed.every(({ spec }) => spec.every(isNever)))
    reject(Object.keys(by), 'would make it never act: its file limits it to other requests already')
  for (const { kind, spec } of narrowed) {
    const [wrong] =
      kind.check?.(
        spec.filter((item) => !isNever(item)),
        contract,
      ) ?? []
    if (wrong) reject(Object.keys(by), `can't be ${showValue(by.on)}: ${wrong.message}`)
  }
  return narrowed
}

/** An effect that never acts stays in its list, because the journal names effects by their positions. */
const isNever = ({ times }: Conditions) => times === 0

function narrowItem(item: Conditions, by: Narrowing, ids: readonly string[]): Conditions {
  const { on, where, times } = item
  const operations = by.on === undefined ? on : commonOperations(on, by.on, ids)
  const callers = { ...where }
  let isExcluded = operations?.length === 0
  for (const name of whereNames) {
    const wanted = by[name]
    if (wanted === undefined) continue
    const own = callers[name] ?? 'any'
    if (own !== 'any' && own !== wanted) isExcluded = true
    callers[name] = wanted as never
  }
  if (isExcluded) return { ...item, times: 0 }
  return {
    ...item,
    ...(operations !== undefined && { on: operations }),
    ...(Object.keys(callers).length > 0 && { where: callers }),
    ...(by.times !== undefined && { times: Math.min(times ?? Infinity, by.times) }),
  }
}

function commonOperations(own: Conditions['on'], wanted: string, ids: readonly string[]): string | string[] {
  const matches = globFilter(wanted)
  const [all, common] = [ids.filter(matches), ids.filter(globFilter(own)).filter(matches)]
  return common.length === all.length ? wanted : common
}
