import type * as z from 'zod/mini'
import { collections } from '../catalogue.ts'
import type { Key } from '../core/accounts.ts'
import { toTimestamp } from '../core/clock.ts'
import type { CollectionDefinition } from '../core/collection.ts'
import { quote } from '../core/quote.ts'
import { createIndex, DuplicateKeyError, type Records } from '../core/records.ts'
import { suggest } from '../core/suggest.ts'
import type { World, WorldRecords } from '../world.ts'
import type { StartRecords } from '../world-start.ts'
import { check, invalid } from './body.ts'
import { ControlError } from './errors.ts'
import { fingerprintOf } from './fingerprints.ts'

type Collection = CollectionDefinition<object>

/** What a collection holds, keys as fingerprints. @throws ControlError 404 when there is none of that name. */
export function showRecords(world: World, name: string): object[] {
  const { records } = find(world, name)
  return records.all().map((record) => ('secret' in record ? { ...record, secret: fingerprintOf(record as Key) } : record))
}

/** Puts records in place of all that a collection holds. @throws ControlError; then nothing changed. */
export function replaceRecords(world: World, name: string, values: readonly unknown[]): void {
  const { definition, records } = find(world, name)
  const next = readRecords(world, definition, values, world.clock.now())
  next.forEach((record, index) => {
    const account = definition.owner?.(record)
    if (account !== undefined && !world.records.accounts.get(account)) throw invalid(`${name}.${index}.account: there is no account ${quote(account)}`)
  })
  records.replace(next)
}

/** Reads the records that a world is to start with. @throws ControlError */
export function readStartRecords(world: World, given: Readonly<Record<string, readonly unknown[]>>, now: string | number | undefined): StartRecords {
  const at = now === undefined ? world.clock.now() : toTimestamp(now)
  return Object.fromEntries(Object.entries(given).map(([name, values]) => [name, readRecords(world, find(world, name, 400).definition, values, at)]))
}

function find(world: World, name: string, status = 404): { definition: Collection; records: Records<object> } {
  const names = collections.map((known) => known.name)
  const definition = collections.find((known) => known.name === name) as unknown as Collection | undefined
  if (definition) return { definition, records: world.records[name as keyof WorldRecords] as unknown as Records<object> }
  throw new ControlError(status, 'unknown_collection', `There is no collection ${quote(name)}; there are ${names.join(', ')}.${suggest(name, names)}`)
}

/** Records as the store keeps them, from what is sent: the same, or as fixture files write them. */
function readRecords(world: World, definition: Collection, values: readonly unknown[], now: number): object[] {
  const reveal = definition.name === 'keys' ? createRevealer(world) : (value: unknown) => value
  const records = values.map((value, index) => readRecord(definition, `${definition.name}.${index}`, reveal(value), now))
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
  const isStored = typeof value === 'object' && value !== null && 'updated_at' in value
  return isStored ? check(stored, value, place) : fixture.toRecord(check(written, value, place), now)
}

/** Makes what puts keys in the place of their fingerprints: a key that was read is shown by that, and may be sent back so. */
function createRevealer(world: World): (value: unknown) => unknown {
  let keys: Map<string, Readonly<Key>> | undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || !('secret' in value) || typeof value.secret !== 'string' || !/^fp_[\da-f]{12}$/.test(value.secret)) return value
    keys ??= new Map(world.records.keys.all().map((key) => [fingerprintOf(key), key]))
    const key = keys.get(value.secret)
    if (!key) throw invalid(`There is no key with the fingerprint ${value.secret} in the world "${world.name}": send the key itself.`)
    return { ...value, secret: key.secret }
  }
}
