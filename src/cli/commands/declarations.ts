import { builtInCatalogue } from '../../catalogue/catalogue.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toLiteral } from '../../core/text/messages.ts'
import {
  type OptionDeclaration,
  optionTypeOf,
  takesPlans,
} from '../../scenarios/language/options.ts'
import type { ScenarioSummary } from '../../scenarios/language/scenario-summary.ts'

export function toDeclarations(greenhouse: Greenhouse): string {
  const { operations, plans } = builtInCatalogue
  const ownScenarios = greenhouse.scenarios().filter(({ bundled }) => !bundled)
  const plansById = greenhouse.catalogue.plans.map((id) => ({ id }))
  const members = [
    ['Scenarios', toScenarioTypes(ownScenarios, '    ')],
    ['OwnOperations', toMembers(greenhouse.operations(), toIds(operations))],
    [
      'OwnAssumptions',
      toMembers(
        greenhouse.assumptions(),
        toIds(builtInCatalogue.assumptionRegistry.list()),
        ({ values }) => toUnion(values),
      ),
    ],
    ['OwnPlans', toMembers(plansById, plans)],
  ].filter(([name, lines]) => name === 'Scenarios' || lines !== '')
  return `import type { OperationPattern } from 'greenhouse-mock'

declare module 'greenhouse-mock' {
${members.map(([name, lines]) => `  interface ${name} {\n${lines}\n  }\n`).join('')}}
`
}

function toMembers<T extends { readonly id: string }>(
  all: readonly T[],
  ofBuiltIn: readonly string[],
  toType: (one: T) => string = () => 'true',
): string {
  const own = all.filter(({ id }) => !ofBuiltIn.includes(id))
  return own.map((one) => `    ${toLiteral(one.id)}: ${toType(one)}`).join('\n')
}

function toIds(all: readonly { readonly id: string }[]): string[] {
  return all.map(({ id }) => id)
}

export function toScenarioTypes(scenarios: readonly ScenarioSummary[], indent: string): string {
  return scenarios
    .map(({ name, options }) => `${indent}readonly ${toLiteral(name)}: ${toOptionsType(options)}`)
    .join('\n')
}

export function toUnion(values: readonly unknown[]): string {
  return values.map((value) => toLiteral(value)).join(' | ')
}

function toOptionsType(options: Readonly<Record<string, OptionDeclaration>>): string {
  const pairs = Object.entries(options).map(
    ([name, declared]) => `${toLiteral(name)}?: ${toType(name, declared)}`,
  )
  if (Object.hasOwn(options, 'on')) pairs.push("'operation'?: OperationPattern")
  if (pairs.length === 0) return '{}'
  return `{ ${pairs.join('; ')} }`
}

function toType(name: string, declared: OptionDeclaration): string {
  const { values } = declared
  if (values)
    return toUnion(values) + (takesPlans({ values: [...values] }) ? ' | keyof OwnPlans' : '')
  if (name === 'on') return 'OperationPattern'
  const wanted = optionTypeOf(declared)
  if (wanted === 'integer') return 'number'
  if (wanted === 'duration') return 'string | number'
  return wanted
}
