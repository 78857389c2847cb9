import * as z from 'zod/mini'
import { int64 } from '../../areas/plants/schemas.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { dueTime, storedTime } from '../../core/time/fixture-time.ts'
import { collections } from '../catalogue.ts'

/** Any collection. */
export type Collection = CollectionDefinition<object>

/** What a collection is, for those who show its records and forms for them. */
export interface CollectionFacts {
  /** `plants` */
  readonly name: string
  /** `Plants` */
  readonly title: string
  /** The field that names a record: `id`; of keys the secret, which is shown as its fingerprint. */
  readonly id: string
  /** JSON Schema of a record as the store keeps it. A time has the format `unix-ms`: milliseconds since 1970. */
  readonly schema: object
  /** Fields that name a record of another collection, by its name. */
  readonly relations: Readonly<Record<string, string>>
  /** Whether fingerprints stand for something in its records. */
  readonly has_secrets: boolean
}

/** The collection of a name. */
export function collectionNamed(name: string): Collection | undefined {
  return allCollections().find((known) => known.name === name)
}

/** All collections, in the order of fixture files. */
export function allCollections(): readonly Collection[] {
  return collections as unknown as readonly Collection[]
}

let facts: readonly CollectionFacts[] | undefined

/** What every collection is. */
export function collectionFacts(): readonly CollectionFacts[] {
  return (facts ??= allCollections().map((definition) => ({
    name: definition.name,
    title: definition.name.charAt(0).toUpperCase() + definition.name.slice(1),
    id: idFieldOf(definition),
    schema: toJsonSchema(definition),
    relations: relationsOf(definition),
    has_secrets: definition.secrets !== undefined,
  })))
}

/** Fields that name a record of another collection, by its name; that of the account first. */
export function relationsOf({ owner, refers }: Collection): Readonly<Record<string, string>> {
  return { ...(owner && { account: 'accounts' }), ...refers }
}

/** The field that names a record. */
export function idFieldOf({ key }: Collection): string {
  return fieldOf(key)
}

/** The field of a record that a function reads. */
export function fieldOf(read: (record: object) => unknown): string {
  let field = ''
  read(new Proxy({}, { get: (_, name) => void (field = String(name)) }))
  return field
}

function toJsonSchema({ schema }: Collection): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema as unknown as z.ZodMiniType, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const is = (known: z.ZodMiniType) => (zodSchema._zod as unknown) === known._zod
      if (is(int64)) {
        for (const name of Object.keys(jsonSchema)) delete (jsonSchema as Record<string, unknown>)[name]
        Object.assign(jsonSchema, { type: 'integer', format: 'int64' })
      }
      if (is(storedTime) || is(dueTime)) jsonSchema.format = 'unix-ms'
      // The format says it, in words that every tool knows.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return json
}
