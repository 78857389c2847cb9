import { catalogue as builtIn } from '../../api/assembly/catalogue.ts'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { toLiteral } from '../../core/text/messages.ts'
import { toScenarioTypes, toUnion } from './scenario-types.ts'

export function toDeclarations(greenhouse: Greenhouse): string {
  const { operations, plans } = builtIn.contract
  const ownScenarios = greenhouse.scenarios().filter(({ bundled }) => !bundled)
  const plansById = greenhouse.catalogue.contract.plans.map((id) => ({ id }))
  const members = [
    ['Scenarios', toScenarioTypes(ownScenarios, '    ')],
    ['OwnOperations', toMembers(greenhouse.operations(), toIds(operations))],
    [
      'OwnAssumptions',
      toMembers(greenhouse.assumptions(), toIds(builtIn.assumptionRegistry.list()), ({ values }) => toUnion(values)),
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
