import type * as z from 'zod/mini'
import { toClockTime } from '../core/time/time-text.ts'
import { quote, suggest } from '../core/text/messages.ts'
import { createIndex, DuplicateKeyError, type CollectionStore } from '../core/store/records.ts'
import { missingOwner } from '../core/accounts/accounts.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { formOf } from '../fixtures/forms.ts'
import { collectionNamed, type Collection } from '../api/inspect/collections.ts'
import { createHider, hideSecrets, mapStrings } from '../api/inspect/hidden.ts'
import { liveOf } from '../api/assembly/live.ts'
import type { World } from '../api/world.ts'
import type { StartRecords } from '../api/records.ts'
import { check, invalid } from './body.ts'
import { ControlError } from './errors.ts'

export function showRecords(world: World, name: string): object[] {
  const { definition, records, show } = findCollection(world, name)
  return definition.secrets ? records.all().map(show) : records.all()
}

/** Replaces all records of a collection. @throws ControlError; then nothing changed. */
export function replaceRecords(world: World, name: string, values: readonly unknown[]): void {
  const { live, definition, records } = findCollection(world, name)
  const next = readRecords(world, definition, values, world.clock.now())
  next.forEach((record, index) => {
    const missing = missingOwner(liveOf(world), definition, record)
    if (missing !== undefined) throw invalid(`${name}.${index}.account: ${missing}`)
  })
  records.replace(next)
  live.recordChange({ replace: { collection: name, records: records.all() } })
}

export function readStartRecords(
  world: World,
  given: Readonly<Record<string, readonly unknown[]>>,
  now: string | number | undefined,
): StartRecords {
  const at = now === undefined ? world.clock.now() : toClockTime(now)
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => [
      name,
      readRecords(world, findCollection(world, name, 400).definition, values, at),
    ]),
  )
}

export interface WorldCollection {
  readonly live: LiveWorld
  readonly definition: Collection
  readonly records: CollectionStore<object>
  readonly show: (record: object) => object
}

export function findCollection(world: World, name: string, status = 404): WorldCollection {
  const live = liveOf(world)
  const definition = collectionNamed(live, name)
  const names = live.collections.map((known) => known.name)
  if (!definition)
    throw new ControlError(
      status,
      'unknown_collection',
      `There is no collection ${quote(name)}; expected one of ${names.join(', ')}.${suggest(name, names)}`,
    )
  let hide: ((record: object) => object) | undefined
  return {
    live,
    definition,
    records: live.collection(definition),
    show: (record) => (hide ??= createHider(live, definition))(record),
  }
}

function readRecords(world: World, definition: Collection, values: readonly unknown[], now: number): object[] {
  const records = reveal(world, definition, values).map((value, index) =>
    readRecord(definition, value, now, (schema, given) => check(schema, given, `${definition.name}.${index}`)),
  )
  try {
    createIndex(definition, records)
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw invalid(error.message)
    throw error
  }
  return records
}

export function readRecord(
  definition: Collection,
  value: unknown,
  now: number,
  parse: (schema: z.ZodMiniType<object>, value: unknown) => object,
): object {
  const stored = definition.schema as unknown as z.ZodMiniType<object>
  if (!definition.fixture || stored.safeParse(value).success) return parse(stored, value)
  const { schema, toRecord } = formOf(definition as never, value)
  return toRecord(parse(schema, value), now)
}

export function reveal(
  world: World,
  { name, secrets }: Collection,
  values: readonly unknown[],
  among?: readonly object[],
): unknown[] {
  if (!secrets) return [...values]
  const { live, records } = findCollection(world, name)
  const shown = new Map<string, string>()
  const finders = live.secretFinders()
  for (const record of among ?? records.all())
    hideSecrets(record, secrets(record), finders, (text, hidden) => shown.set(hidden, text))
  return mapStrings(values, (text) => {
    if (shown.has(text)) return shown.get(text)
    if (!/^fp_[\da-f]{12}$/.test(text)) return text
    const what = name === 'keys' ? 'key' : 'secret'
    throw invalid(
      `There is no ${what} with the fingerprint ${text} in the world "${world.name}": send the ${what} itself.`,
    )
  }) as unknown[]
}
