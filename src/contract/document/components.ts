import * as z from 'zod/mini'
import { replaceBy, toJsonSchema } from '../../api/inspect/collections.ts'
import { cached } from '../../core/contract/across-builds.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import type { Area } from '../../core/pipeline/operation.ts'

export interface ReferenceObject {
  readonly $ref: string
}

export interface HeaderObject {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonSchema
}

export interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

export class Components {
  readonly #names = new Map<unknown, { id: string }>()
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #headers = new Map<string, HeaderObject>()
  readonly #examples = new Map<string, ExampleObject>()
  /** Converted schemas: the error schema is in every operation, and conversion takes most of the time. */
  readonly #used = new Map<z.ZodMiniType, JsonSchema>()

  constructor(areas: readonly Area[]) {
    for (const { schemas } of areas)
      for (const [id, schema] of Object.entries(schemas)) this.#names.set(schema._zod, { id })
  }

  ofReply(schema: z.ZodMiniType): JsonSchema {
    return cached(this.#used, Infinity, schema, () => this.#write(schema, 'output'))
  }

  /** @param limit adds the limits that bodies have under the assumptions. */
  ofBody(schema: z.ZodMiniType, limit: (schema: JsonSchema) => JsonSchema): JsonSchema {
    return this.#write(schema, 'input', limit)
  }

  #write(schema: z.ZodMiniType, io: 'input' | 'output', change = (json: JsonSchema) => json): JsonSchema {
    // Zod writes `{ $ref }` for a named schema, and the schema itself into `$defs`.
    const { $defs = {}, ...root } = toJsonSchema(schema, {
      io,
      metadata: {
        get: (part: z.core.$ZodType) => this.#names.get(part._zod) ?? z.globalRegistry.get(part),
      } as typeof z.globalRegistry,
      override: shorten,
    })
    const id = (this.#names.get(schema._zod) ?? z.globalRegistry.get(schema))?.id
    for (const [name, definition] of Object.entries($defs)) {
      // Also for the second operation with this body: it depends on the same assumptions.
      const json = name === id ? change(definition) : definition
      if (!this.#schemas.has(name)) this.#schemas.set(name, toReferences(json))
    }
    return toReferences(id === undefined ? change(root) : root)
  }

  header(name: string, header: HeaderObject): ReferenceObject {
    this.#headers.set(name, header)
    return { $ref: `#/components/headers/${name}` }
  }

  example(name: string, example: ExampleObject): ReferenceObject {
    this.#examples.set(name, example)
    return { $ref: `#/components/examples/${name}` }
  }

  toJson() {
    return { schemas: sorted(this.#schemas), headers: sorted(this.#headers), examples: sorted(this.#examples) }
  }
}

function sorted<T>(parts: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function shorten({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === -(2 ** 31) && jsonSchema.maximum === 2 ** 31 - 1)
    replaceBy(jsonSchema, { type: 'integer', format: 'int32' })
  // The limit comes from exact JSON numbers, not from the API.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function toReferences<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toReferences) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === '$ref' && typeof part === 'string'
        ? part.replace('#/$defs/', '#/components/schemas/')
        : toReferences(part),
    ]),
  ) as T
}
