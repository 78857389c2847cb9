import type * as z from 'zod/mini'
import { collections } from '../greenhouse/catalogue.ts'
import { toClockTime } from '../core/time/clock.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import { quote } from '../core/definitions/quote.ts'
import { createIndex, DuplicateKeyError, type Records } from '../core/store/records.ts'
import { redactText } from '../core/journal/redact.ts'
import type { SecretFinder } from '../core/store/secret-finder.ts'
import { suggest } from '../core/definitions/suggest.ts'
import type { World } from '../greenhouse/world.ts'
import type { WorldRecords } from '../greenhouse/records.ts'
import type { StartRecords } from '../greenhouse/records.ts'
import { check, invalid } from './body.ts'
import { ControlError } from './errors.ts'

type Collection = CollectionDefinition<object>

/** The records of a collection, with fingerprints in place of secrets. @throws ControlError 404 when there is no such collection. */
export function showRecords(world: World, name: string): object[] {
  const { definition, records } = find(world, name)
  const { secrets } = definition
  return secrets
    ? records.all().map((record) => hideSecrets(record, secrets(record), records.secretFinder()) as object)
    : records.all()
}

/** Replaces all records of a collection. @throws ControlError; then nothing changed. */
export function replaceRecords(world: World, name: string, values: readonly unknown[]): void {
  const { definition, records } = find(world, name)
  const next = readRecords(world, definition, values, world.clock.now())
  next.forEach((record, index) => {
    const account = definition.owner?.(record)
    if (account !== undefined && !world.records.accounts.get(account))
      throw invalid(`${name}.${index}.account: there is no account ${quote(account)}`)
  })
  records.replace(next)
}

/** Reads the records that a world starts with. @throws ControlError */
export function readStartRecords(
  world: World,
  given: Readonly<Record<string, readonly unknown[]>>,
  now: string | number | undefined,
): StartRecords {
  const at = now === undefined ? world.clock.now() : toClockTime(now)
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [
      name,
      readRecords(world, find(world, name, 400).definition, values, at),
    ]),
  )
}

function find(world: World, name: string, status = 404): { definition: Collection; records: Records<object> } {
  const names = collections.map((known) => known.name)
  const definition = collections.find((known) => known.name === name) as unknown as Collection | undefined
  if (definition)
    return { definition, records: world.records[name as keyof WorldRecords] as unknown as Records<object> }
  throw new ControlError(
    status,
    'unknown_collection',
    `There is no collection ${quote(name)}; there are ${names.join(', ')}.${suggest(name, names)}`,
  )
}

/** Converts records from a body: as the store keeps them, or as fixture files write them. */
function readRecords(world: World, definition: Collection, values: readonly unknown[], now: number): object[] {
  const records = reveal(world, definition, values).map((value, index) =>
    readRecord(definition, `${definition.name}.${index}`, value, now),
  )
  try {
    createIndex(definition, records)
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw invalid(error.message)
    throw error
  }
  return records
}

function readRecord({ schema, fixture }: Collection, place: string, value: unknown, now: number): object {
  const stored = schema as unknown as z.ZodMiniType<object>
  const written = fixture?.schema as z.ZodMiniType<object> | undefined
  if (!fixture || !written || stored.safeParse(value).success) return check(stored, value, place)
  // Whoever sends what only the store writes meant the store's form.
  const isStored = typeof value === 'object' && value !== null && ('updated_at' in value || 'payload' in value)
  return isStored ? check(stored, value, place) : fixture.toRecord(check(written, value, place), now)
}

/** Replaces fingerprints in a body by the secrets that they stand for. @throws ControlError for an unknown fingerprint. */
function reveal(world: World, { name, secrets }: Collection, values: readonly unknown[]): unknown[] {
  if (!secrets) return [...values]
  const { records } = find(world, name)
  const shown = new Map<string, string>()
  for (const record of records.all()) hideSecrets(record, secrets(record), records.secretFinder(), shown)
  return values.map((value) => revealSecrets(value, shown, name, world))
}

function revealSecrets(value: unknown, shown: ReadonlyMap<string, string>, collection: string, world: World): unknown {
  if (typeof value === 'string') {
    if (shown.has(value)) return shown.get(value)
    if (!/^fp_[\da-f]{12}$/.test(value)) return value
    const what = collection === 'keys' ? 'key' : 'secret'
    throw invalid(
      `There is no ${what} with the fingerprint ${value} in the world "${world.name}": send the ${what} itself.`,
    )
  }
  if (Array.isArray(value)) return value.map((item) => revealSecrets(item, shown, collection, world))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, revealSecrets(part, shown, collection, world)]),
  )
}
