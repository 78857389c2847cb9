import { codedError } from '../../core/text/error-codes.ts'
import { describeProblem, quote } from '../../core/text/messages.ts'
import * as z from 'zod/mini'
import { int64 } from '../../areas/plants/schemas.ts'
import { isPlainFixtureKey } from '../../core/accounts/accounts.ts'
import type { JsonSchema } from '../../core/contract/json-schema.ts'
import { hideParameters, toShownSecret } from '../../core/secrets/secrets.ts'
import { type SecretFinder, toFingerprint } from '../../core/secrets/known-secrets.ts'
import { type CollectionDefinition, isRecordKey } from '../../core/store/collection.ts'
import { dueTime, storedTime } from '../../core/time/fixture-time.ts'
import { type Fields, mapStrings, type Texts } from '../../core/text/values.ts'
import { toIso } from '../../core/time/time-text.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'
import { toWrittenRecord } from '../../fixtures/forms.ts'
import { toYamlText } from '../../output/yaml-text.ts'
import { definitions } from '../catalogue.ts'
import { relationsOf } from '../records.ts'

export type Collection = CollectionDefinition<object>

export interface WithCollections {
  readonly collections: readonly CollectionDefinition<object>[]
}

export function collectionNamed(of: WithCollections, name: string): Collection | undefined {
  return allCollections(of).find((known) => known.name === name)
}

/** @throws RangeError for a name that no collection has */
export function requireCollection(known: WithCollections, name: string): Collection {
  const found = collectionNamed(known, name)
  if (found) return found
  const names = allCollections(known).map((one) => one.name)
  throw codedError(
    'GREENHOUSE_UNKNOWN_NAME',
    describeProblem(`There is no collection ${quote(name)}`, name, names, true),
  )
}

export function allCollections({ collections }: WithCollections): readonly Collection[] {
  // The world may come from the other build of the package, which has its own schemas of the same
  // collections.
  return collections.map((one) => {
    if (one.isOwn) return one
    return definitions[one.name as keyof typeof definitions] ?? one
  })
}

export function fieldOf(read: (record: object) => unknown): string {
  let field = ''
  read(new Proxy({}, { get: (_, name) => void (field = String(name)) }))
  return field
}

export interface CollectionFacts {
  readonly name: string
  readonly title: string
  readonly id: string
  /**
   * The JSON Schema of a stored record. Times have the format `unix-ms`: milliseconds since 1970.
   */
  readonly schema: JsonSchema
  readonly relations: Texts
  readonly has_secrets: boolean
}

const facts = new WeakMap<object, readonly CollectionFacts[]>()

export function collectionFacts(of: WithCollections): readonly CollectionFacts[] {
  const known = facts.get(of)
  if (known) return known
  const described = allCollections(of).map((definition): CollectionFacts => ({
    name: definition.name,
    title: definition.name.charAt(0).toUpperCase() + definition.name.slice(1),
    id: fieldOf(definition.key),
    schema: toJsonSchema(definition.schema, {
      io: 'input',
      override({ zodSchema, jsonSchema }) {
        if (isSchema(zodSchema, storedTime) || isSchema(zodSchema, dueTime))
          jsonSchema.format = 'unix-ms'
      },
    }),
    relations: relationsOf(definition),
    has_secrets: definition.secrets !== undefined,
  }))
  facts.set(of, described)
  return described
}

/**
 * Returns the JSON Schema of a schema: with formats of this API, and without what they say already.
 */
export function toJsonSchema(
  schema: z.ZodMiniType,
  { override, ...conversion }: z.core.ToJSONSchemaParams,
): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    ...conversion,
    unrepresentable: 'any',
    override(context) {
      const { zodSchema, jsonSchema } = context
      if (isSchema(zodSchema, int64) || zodSchema._zod.def.type === 'bigint')
        replaceBy(jsonSchema, {
          type: 'integer',
          format: 'int64',
        })
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      override?.(context)
    },
  })
  return json as JsonSchema
}

/** Returns whether a schema is `known`, or a copy that shares its `_zod`. */
function isSchema(schema: z.core.$ZodType, known: z.ZodMiniType): boolean {
  return (schema._zod as unknown) === known._zod
}

export function replaceBy(json: object, other: JsonSchema): void {
  for (const name of Object.keys(json)) delete (json as Record<string, unknown>)[name]
  Object.assign(json, other)
}

export function createHider(world: LiveWorld, definition: Collection): (record: object) => object {
  const { secrets } = definition
  if (!secrets) return (record) => record
  const finders = world.secretFinders()
  return (record) => hideSecrets(record, secrets(record), { finders }) as object
}

interface Hiding {
  readonly finders: readonly SecretFinder[]
  /** Returns what stands in for a secret of the record: its fingerprint by default. */
  readonly toShown?: (secret: string) => string
  readonly onHidden?: (text: string, hidden: string) => void
}

export function hideSecrets(
  value: unknown,
  secrets: readonly string[],
  { finders, toShown, onHidden }: Hiding,
): unknown {
  const hide = toShown ?? ((secret: string) => toShownSecret(secret, finders))
  return mapStrings(value, (text) => {
    const hidden = secrets.includes(text) ? hide(text) : hideParameters(text, finders)
    if (hidden !== text) onHidden?.(text, hidden)
    return hidden
  })
}

/**
 * Returns a valid secret that stands in for another one, or this one if it does so already. @param
 * collection the collection of its record.
 */
export function toStandIn(collection: string, secret: string): string {
  if (readStandIn(secret) !== undefined) return secret
  const fingerprint = toFingerprint(secret)
  if (collection === 'keys') return `hidden_${fingerprint}`
  return `whsec_${btoa(`hidden ${fingerprint}`)}`
}

export function readStandIn(text: string): string | undefined {
  const known = /^hidden_(fp_[0-9a-f]{12})$/.exec(text)?.[1]
  if (known !== undefined || !text.startsWith('whsec_aGlkZGVuI')) return known
  try {
    return /^hidden (fp_[0-9a-f]{12})$/.exec(atob(text.slice('whsec_'.length)))?.[1]
  } catch {
    return undefined
  }
}

interface ExportOptions {
  /** The base of relative times, in milliseconds since 1970; now by default. */
  readonly now?: number
  /**
   * True to write secrets. By default, placeholders replace them, except keys of plain words.
   */
  readonly showsSecrets?: boolean
}

export function exportFile(
  world: LiveWorld,
  definition: Collection,
  { now = world.clock.now(), showsSecrets = false }: ExportOptions = {},
) {
  const { name, secrets } = definition
  const records = world.collection(definition).all()
  const finders = world.secretFinders()
  let hidden = 0
  const toShown = (secret: string) => {
    if (name === 'keys' && isPlainFixtureKey(world, secret)) return secret
    return toStandIn(name, secret)
  }
  const hide = (record: object) =>
    hideSecrets(record, secrets?.(record) ?? [], {
      finders,
      toShown,
      onHidden: () => hidden++,
    }) as object
  const lines = [
    `# The ${name} of the world ${world.name} at ${toIso(now)}. A time such as "2h ago" is relative to the start of the service.`,
  ]
  if (secrets && !showsSecrets)
    lines.push(
      '# Secrets are left out. Values that begin with "hidden_" or "whsec_aGlkZGVuI" stand in for them.',
    )
  lines.push(records.length === 0 ? `${name}: []` : `${name}:`)
  const gone = new Set<string>()
  for (const record of records) {
    const shown = showsSecrets ? record : hide(record)
    for (const one of findGone(world, definition, record, shown)) gone.add(one)
    lines.push(`  - ${toYamlText(toWrittenRecord(definition, shown, now))}`)
  }
  if (gone.size > 0) lines.push(`gone: ${toYamlText([...gone])}`)
  return {
    file: `${name}.yaml`,
    text: lines.join('\n') + '\n',
    records: records.length,
    hidden,
  }
}

/**
 * Returns what a record refers to and its world has no longer, as fixtures name it. @param shown
 * the record without secrets
 */
function findGone(
  world: LiveWorld,
  definition: Collection,
  record: object,
  shown: object,
): string[] {
  return Object.entries(relationsOf(definition)).flatMap(([field, target]) => {
    const key = (record as Fields)[field]
    const related = collectionNamed(world, target)
    if (!related || !isRecordKey(key) || world.collection(related).get(key)) return []
    return `${target}/${String((shown as Fields)[field])}`
  })
}
