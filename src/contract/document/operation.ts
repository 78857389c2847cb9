import type { Assume, Provenance } from '../../core/definitions/assumptions.ts'
import type { SchemaObject } from './components.ts'
import { toLimited } from './limits.ts'
import { toParameters, type ParameterObject } from './parameters.ts'
import { toResponses, type Described, type ResponseObject } from './responses.ts'

export interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ParameterObject[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: SchemaObject; readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly 'x-greenhouse-source': Provenance
  readonly 'x-greenhouse-scope': string
  readonly 'x-greenhouse-assumptions'?: Readonly<Record<string, string>>
}

export function toOperationObject(described: Described): OperationObject {
  const { operation, components, example } = described
  const assumed = new Map<string, string>()
  const assume: Assume = (assumptions, id) => {
    const value = described.assume(assumptions, id)
    assumed.set(id, value)
    return value
  }
  const { id, title, source, scope, body, bodyIsOptional = false } = operation
  const parameters = toParameters(described.area, operation, assume, example)
  const responses = toResponses({ ...described, assume })
  return {
    operationId: id,
    summary: title,
    tags: [id.split('.')[0]!],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !bodyIsOptional,
        content: {
          'application/json': {
            schema: components.use(body, 'input', (schema) => toLimited(schema, described.area, operation, assume)),
            ...(example?.body !== undefined && { example: example.body }),
          },
        },
      },
    }),
    responses,
    'x-greenhouse-source': source,
    'x-greenhouse-scope': scope,
    ...(assumed.size > 0 && { 'x-greenhouse-assumptions': Object.fromEntries(assumed) }),
  }
}
