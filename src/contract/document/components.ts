import * as z from 'zod/mini'
import { int64 } from '../../areas/plants/schemas.ts'
import type { Area } from '../../core/pipeline/operation.ts'

export type SchemaObject = Readonly<Record<string, unknown>>

export interface ReferenceObject {
  readonly $ref: string
}

export interface HeaderObject {
  readonly description: string
  readonly required: boolean
  readonly schema: SchemaObject
}

interface ExampleObject {
  readonly summary: string
  readonly value: unknown
}

const same = (schema: SchemaObject) => schema

type Direction = 'input' | 'output'

export class Components {
  readonly #names = new Map<unknown, { id: string }>()
  readonly #schemas = new Map<string, SchemaObject>()
  readonly #headers = new Map<string, HeaderObject>()
  readonly #examples = new Map<string, ExampleObject>()
  /**
   * Schemas that were converted without a change. The error schema is in every operation, and conversion takes most of the time.
   */
  readonly #used: Readonly<Record<Direction, Map<z.ZodMiniType, SchemaObject>>> = {
    input: new Map(),
    output: new Map(),
  }

  constructor(areas: readonly Area[]) {
    for (const { schemas } of areas)
      for (const [id, schema] of Object.entries(schemas)) this.#names.set(schema._zod, { id })
  }

  use(
    schema: z.ZodMiniType,
    direction: Direction,
    change: (schema: SchemaObject) => SchemaObject = same,
  ): SchemaObject {
    const used = change === same ? this.#used[direction].get(schema) : undefined
    if (used) return used
    const written = this.#write(schema, direction, change)
    if (change === same) this.#used[direction].set(schema, written)
    return written
  }

  #write(schema: z.ZodMiniType, direction: Direction, change: (schema: SchemaObject) => SchemaObject): SchemaObject {
    const { $defs = {}, ...root } = toJsonSchema(schema, direction, this.#names) as {
      $defs?: Record<string, SchemaObject>
    }
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition)
    const id = this.#names.get(schema._zod)?.id
    if (id === undefined) return toReferences(change(root))
    this.#add(id, change(root))
    return { $ref: toReference(id) }
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

  #add(name: string, schema: SchemaObject): void {
    if (!this.#schemas.has(name)) this.#schemas.set(name, toReferences(schema))
  }
}

function sorted<T>(parts: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function toJsonSchema(schema: z.ZodMiniType, io: Direction, names: ReadonlyMap<unknown, { id: string }>): object {
  const metadata = { get: (part: z.core.$ZodType) => names.get(part._zod) } as z.core.$ZodRegistry<{ id: string }>
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    metadata,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      delete jsonSchema.id
      if ((zodSchema._zod as unknown) === int64._zod)
        Object.assign(clear(jsonSchema), { type: 'integer', format: 'int64' })
      if (jsonSchema.minimum === -(2 ** 31) && jsonSchema.maximum === 2 ** 31 - 1)
        Object.assign(clear(jsonSchema), { type: 'integer', format: 'int32' })
      // The limit comes from exact JSON numbers, not from the API.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The format says the same, and every tool knows it.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return json
}

function clear<T extends object>(value: T): T {
  for (const name of Object.keys(value)) delete (value as Record<string, unknown>)[name]
  return value
}

const toReference = (name: string) => `#/components/schemas/${name}`

function toReferences<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toReferences) as T
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === '$ref' && typeof part === 'string' ? part.replace(/^#\/\$defs\//, toReference('')) : toReferences(part),
    ]),
  ) as T
}
