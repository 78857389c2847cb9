import { version } from '../../../package.json'
import type { AreaName } from '../../areas/event-types.ts'
import { catalogue as builtIn } from '../../api/assembly/catalogue.ts'
import { cached } from '../../core/contract/across-builds.ts'
import type { Catalogue } from '../../api/assembly/make-catalogue.ts'
import type { AssumptionChoices } from '../../api/types/names.ts'
import { createDocument, type OpenApiDocument } from './document.ts'
import { fetchExamples, type ExampleOf } from './examples.ts'

export type { OpenApiDocument } from './document.ts'

interface OpenApiOptions {
  area?: AreaName
  server?: string
  assumptions?: AssumptionChoices
  catalogue?: Catalogue | undefined
  examples?: boolean
}

export async function createOpenApi(options: OpenApiOptions = {}): Promise<OpenApiDocument> {
  const { area, server = 'http://127.0.0.1:4010', assumptions = {}, examples = true, catalogue = builtIn } = options
  const { contract, assumptionRegistry } = catalogue
  const values = assumptionRegistry.resolve(assumptions as Readonly<Record<string, string>>)
  const exampleOf = examples ? await examplesUnder(catalogue, values, assumptions) : undefined
  return createDocument({ contract, version, values, area, server, exampleOf })
}

/** The examples of a catalogue under the last few choices of assumptions, since creating them takes most of the time. */
const knownOf = new WeakMap<Catalogue, Map<string, Promise<ExampleOf>>>()
const maxKnown = 4

function examplesUnder(
  catalogue: Catalogue,
  values: ReadonlyMap<string, string>,
  assumptions: AssumptionChoices,
): Promise<ExampleOf> {
  const known = knownOf.get(catalogue) ?? new Map<string, Promise<ExampleOf>>()
  knownOf.set(catalogue, known)
  return cached(known, maxKnown, JSON.stringify([...values]), (key) => {
    const examples = fetchExamples(catalogue, assumptions)
    examples.catch(() => known.delete(key))
    return examples
  })
}
