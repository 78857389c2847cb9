import * as z from 'zod/mini'
import { replaceBy, toJsonSchema } from '../../catalogue/inspect/collections.ts'
import { cached } from '../../core/contract/cache.ts'
import { integerFormats, type JsonSchema } from '../../core/contract/json-schema.ts'
import type { Area } from '../../core/pipeline/area.ts'
import { mapStrings } from '../../core/text/values.ts'

export interface SchemaReference {
  readonly $ref: string
}

/** The parts of a document that several operations refer to. */
export class Components {
  /** The names of schemas that are components of their own. */
  readonly #idsOfNamed = new Map<unknown, { id: string }>()
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #named = {
    headers: new Map<string, object>(),
    examples: new Map<string, object>(),
  }
  /**
   * The JSON of schemas of replies. It is kept, as the error schema is in every operation, and
   * conversion takes most of the time.
   */
  readonly #converted = new Map<z.ZodMiniType, JsonSchema>()

  constructor(areas: readonly Area[]) {
    for (const { schemas } of areas)
      for (const [id, schema] of Object.entries(schemas)) this.#idsOfNamed.set(schema._zod, { id })
  }

  ofReply(schema: z.ZodMiniType): JsonSchema {
    return cached(this.#converted, schema, () => this.#convert(schema, 'output'))
  }

  /** @param limit adds the limits that the body has under the assumptions. */
  ofBody(schema: z.ZodMiniType, limit: (schema: JsonSchema) => JsonSchema): JsonSchema {
    return this.#convert(schema, 'input', limit)
  }

  #convert(
    schema: z.ZodMiniType,
    io: 'input' | 'output',
    change = (json: JsonSchema) => json,
  ): JsonSchema {
    // Zod writes `{ $ref }` for a named schema, and the schema itself into `$defs`.
    const { $defs = {}, ...root } = toJsonSchema(schema, {
      io,
      metadata: {
        get: (part: z.core.$ZodType) =>
          this.#idsOfNamed.get(part._zod) ?? z.globalRegistry.get(part),
      } as typeof z.globalRegistry,
      override: dropIntegerLimits,
    })
    const id = (this.#idsOfNamed.get(schema._zod) ?? z.globalRegistry.get(schema))?.id
    for (const [name, definition] of Object.entries($defs)) {
      // The first operation with a body decides: another one depends on the same assumptions.
      const json = name === id ? change(definition) : definition
      if (!this.#schemas.has(name)) this.#schemas.set(name, toReferences(json))
    }
    return toReferences(id === undefined ? change(root) : root)
  }

  /** Adds a component, and returns a reference to it. */
  refer(kind: 'headers' | 'examples', name: string, component: object): SchemaReference {
    this.#named[kind].set(name, component)
    return { $ref: `#/components/${kind}/${name}` }
  }

  toJson() {
    const { headers, examples } = this.#named
    return {
      schemas: toSortedObject(this.#schemas),
      headers: toSortedObject(headers),
      examples: toSortedObject(examples),
    }
  }
}

function toSortedObject<T>(parts: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

interface Converted {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}

function dropIntegerLimits({ jsonSchema }: Converted) {
  const [least, greatest] = integerFormats.int32
  if (jsonSchema.minimum === least && jsonSchema.maximum === greatest)
    replaceBy(jsonSchema, {
      type: 'integer',
      format: 'int32',
    })
  // The limit comes from exact JSON numbers, not from the API.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
}

function toReferences<T>(value: T): T {
  return mapStrings(value, (text, name) => {
    if (name === '$ref') return text.replace('#/$defs/', '#/components/schemas/')
    return text
  }) as T
}
