import { optionTypeOf, takesPlans } from '../../scenarios/option-values.ts'
import type { ScenarioSummary } from '../../scenarios/scenario-summary.ts'

type Declared = ScenarioSummary['options'][string]

/** Formats scenarios as members of an interface: one line for each name with its options. */
export function toScenarioTypes(scenarios: readonly ScenarioSummary[], indent: string): string {
  return scenarios.map(({ name, options }) => `${indent}readonly ${quoted(name)}: ${toOptions(options)}`).join('\n')
}

/** Formats values as a union of literals. */
export function toUnion(values: readonly unknown[]): string {
  return values.map(quoted).join(' | ')
}

/** Formats a value as a literal. */
export function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)
}

function toOptions(options: Readonly<Record<string, Declared>>): string {
  const pairs = Object.entries(options).map(([name, declared]) => `${quoted(name)}?: ${toType(name, declared)}`)
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
