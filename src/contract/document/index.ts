import { version } from '../../../package.json'
import type { AreaName } from '../../areas/area-names.ts'
import { catalogue as builtIn } from '../../greenhouse/assembly/catalogue.ts'
import { cached } from '../../core/definitions/cached.ts'
import type { Catalogue } from '../../greenhouse/assembly/make-catalogue.ts'
import type { AssumptionChoices } from '../../greenhouse/types/names.ts'
import { createDocument, type OpenApiDocument } from './document.ts'
import { fetchExamples, type ExampleOf } from './examples.ts'

export type { OpenApiDocument } from './document.ts'

/** Options of a document; all are optional. */
interface OpenApiOptions {
  /** Only this area; by default both. */
  area?: AreaName
  /** The URL of the service. `http://127.0.0.1:4010` by default. */
  server?: string
  /** Assumptions by id: the document changes as the service does. */
  assumptions?: AssumptionChoices
  /** The areas to describe, with all that was added to them. By default the built-in ones. */
  catalogue?: Catalogue | undefined
  /** Whether operations show an example of a request and its reply. True by default. */
  examples?: boolean
}

/** Returns the OpenAPI 3.1 document of the service. @throws RangeError for an unknown assumption or value. */
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
