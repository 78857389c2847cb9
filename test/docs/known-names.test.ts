import { expect, test } from 'vitest'
import { createGreenhouse, type ScenarioSummary } from 'greenhouse-mock'

const greenhouse = createGreenhouse()

const quoted = (text: unknown) =>
  typeof text === 'string' ? `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(text)

const union = (values: readonly unknown[]) => values.map(quoted).join(' | ')

function typeOf(name: string, { type, values, default: fallback }: ScenarioSummary['options'][string]): string {
  if (values) return union(values)
  if (name === 'on') return 'OperationPattern'
  const wanted = type ?? typeof fallback
  return wanted === 'integer' ? 'number' : wanted === 'duration' ? 'string | number' : wanted
}

function optionsOf({ options }: ScenarioSummary): string {
  const pairs = Object.entries(options).map(([name, declared]) => `${quoted(name)}?: ${typeOf(name, declared)}`)
  if (Object.hasOwn(options, 'on')) pairs.push("'operation'?: OperationPattern")
  return pairs.length === 0 ? '{}' : `{ ${pairs.join('; ')} }`
}

test('src/known-names.ts has every operation, assumption and bundled scenario', async () => {
  await expect(`// What there is to name, for editors to complete. Written by \`npx vitest run test/docs -u\` from the definitions.

/** The id of an operation. */
export type OperationId =
${greenhouse
  .operations()
  .map(({ id }) => `  | ${quoted(id)}`)
  .join('\n')}

/** Which operations: an id, or a glob such as \`plants.*\`. */
export type OperationPattern = OperationId | (string & {})

/** The values that an assumption can have, by its id; the first is the default. */
export interface AssumptionValues {
${greenhouse
  .assumptions()
  .map(({ id, values }) => `  readonly ${quoted(id)}: ${union(values)}`)
  .join('\n')}
}

/** The options of the scenarios that come along, by the scenario's name. */
export interface BundledScenarios {
${greenhouse
  .scenarios()
  .map((scenario) => `  readonly ${quoted(scenario.name)}: ${optionsOf(scenario)}`)
  .join('\n')}
}
`).toMatchFileSnapshot('../../src/greenhouse/known-names.ts')
})
