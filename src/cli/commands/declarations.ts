import { catalogue as builtIn } from '../../greenhouse/assembly/catalogue.ts'
import type { Greenhouse } from '../../greenhouse/greenhouse.ts'
import { quoted, toScenarioTypes, toUnion } from './scenario-types.ts'

/** Returns declarations of the scenarios, operations, assumptions and plans that are not built in. */
export function toDeclarations(greenhouse: Greenhouse): string {
  const { operations, plans } = builtIn.contract
  const assumptions = builtIn.assumptionRegistry.list().map(({ id }) => id as string)
  const members = [
    [
      'Scenarios',
      toScenarioTypes(
        greenhouse.scenarios().filter(({ bundled }) => !bundled),
        '    ',
      ),
    ],
    [
      'OwnOperations',
      toMembers(
        greenhouse.operations().filter(({ id }) => !operations.some((known) => known.id === id)),
        () => 'true',
      ),
    ],
    [
      'OwnAssumptions',
      toMembers(
        greenhouse.assumptions().filter(({ id }) => !assumptions.includes(id)),
        ({ values }) => toUnion(values),
      ),
    ],
    [
      'OwnPlans',
      toMembers(
        greenhouse.catalogue.contract.plans.filter((id) => !plans.includes(id)).map((id) => ({ id })),
        () => 'true',
      ),
    ],
  ].filter(([name, lines]) => name === 'Scenarios' || lines !== '')
  return `import type { OperationPattern } from 'greenhouse-mock'

declare module 'greenhouse-mock' {
${members.map(([name, lines]) => `  interface ${name} {\n${lines}\n  }\n`).join('')}}
`
}

function toMembers<T extends { readonly id: string }>(list: readonly T[], toType: (one: T) => string): string {
  return list.map((one) => `    ${quoted(one.id)}: ${toType(one)}`).join('\n')
}
