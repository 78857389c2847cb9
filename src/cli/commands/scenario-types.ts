import { toLiteral } from '../../core/text/messages.ts'
import { optionTypeOf, takesPlans } from '../../scenarios/language/option-values.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'

type Declared = ScenarioSummary['options'][string]

export function toScenarioTypes(scenarios: readonly ScenarioSummary[], indent: string): string {
  return scenarios.map(({ name, options }) => `${indent}readonly ${toLiteral(name)}: ${toOptions(options)}`).join('\n')
}

export function toUnion(values: readonly unknown[]): string {
  return values.map((value) => toLiteral(value)).join(' | ')
}

function toOptions(options: Readonly<Record<string, Declared>>): string {
  const pairs = Object.entries(options).map(([name, declared]) => `${toLiteral(name)}?: ${toType(name, declared)}`)
  if (Object.hasOwn(options, 'on')) pairs.push("'operation'?: OperationPattern")
  return pairs.length === 0 ? '{}' : `{ ${pairs.join('; ')} }`
}

function toType(name: string, declared: Declared): string {
  const { values } = declared
  if (values) return toUnion(values) + (takesPlans({ values: [...values] }) ? ' | keyof OwnPlans' : '')
  if (name === 'on') return 'OperationPattern'
  const wanted = optionTypeOf(declared)
  return wanted === 'integer' ? 'number' : wanted === 'duration' ? 'string | number' : wanted
}
