import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { quoted, toScenarioTypes, toUnion } from '../../src/cli/commands/scenario-types.ts'

const greenhouse = createGreenhouse()

test('src/known-names.ts has every operation, assumption and bundled scenario', async () => {
  await expect(`// What there is to name, for editors to complete. Written by \`npx vitest run test/docs -u\` from the definitions.

/** The id of an operation. */
export type OperationId =
${greenhouse
  .operations()
  .map(({ id }) => `  | ${quoted(id)}`)
  .join('\n')}

/** Which operations: an id, or a glob such as \`plants.*\`. */
export type OperationPattern = OperationId | \`\${string}*\${string}\`

/** The values that an assumption can have, by its id; the first is the default. */
export interface AssumptionValues {
${greenhouse
  .assumptions()
  .map(({ id, values }) => `  readonly ${quoted(id)}: ${toUnion(values)}`)
  .join('\n')}
}

/** The options of the scenarios that come along, by the scenario's name. */
export interface BundledScenarios {
${toScenarioTypes(greenhouse.scenarios(), '  ')}
}
`).toMatchFileSnapshot('../../src/greenhouse/known-names.ts')
})
