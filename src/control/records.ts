import type * as z from 'zod/mini'
import { toFingerprint } from '../core/secrets/known-secrets.ts'
import { toClockTime } from '../core/time/time-text.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { type Fields, mapFields, mapStrings } from '../core/text/values.ts'
import {
  assertDeletable,
  type CollectionStore,
  createIndex,
  DuplicateKeyError,
} from '../core/store/records.ts'
import { isPlainFixtureKey, type Key } from '../core/accounts/accounts.ts'
import type { World } from '../api/world.ts'
import {
  allCollections,
  type Collection,
  collectionNamed,
  createHider,
  fieldOf,
  hideSecrets,
} from '../catalogue/inspect/collections.ts'
import {
  createMissingFinder,
  type Records,
  relationsOf,
  type StartRecords,
} from '../catalogue/records.ts'
import { isObject } from '../core/contract/options.ts'
import { isRecordKey, type RecordKey } from '../core/store/collection.ts'
import { type Finding, readBySchema, toShape } from '../core/store/validation-message.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { acceptsNull, formOf } from '../fixtures/forms.ts'
import { toPointer } from '../scenarios/language/pointer.ts'
import { check } from './body.ts'
import { type Call, conflict, ControlError, type FieldError, invalid, notFound } from './call.ts'
import { cached } from '../core/contract/cache.ts'

export function replaceRecords(
  call: Call,
  values: readonly unknown[],
): { data: readonly object[] } {
  const { world } = call
  const name = call.param('collection')
  const collection = findCollection(world, name)
  const { live, definition, records, written, show } = collection
  const next = parseRecords(collection, values, world.clock.now())
  const findMissing = createMissingFinder({
    world: live,
    definition,
    together: next,
  })
  for (const [index, record] of next.entries()) {
    const [missing] = findMissing(record, () => records.get(definition.key(record)))
    if (missing) throw invalid(`${[name, index, ...missing.path].join('.')}: ${missing.message}`)
  }
  written.replace(next)
  return { data: records.all().map(show) }
}

export function readStartRecords(
  world: World,
  given: Readonly<Record<string, readonly unknown[]>>,
  now: string | number | undefined,
): StartRecords {
  const at = now === undefined ? world.clock.now() : toClockTime(now)
  return mapFields(given, (values, name) =>
    parseRecords(findCollection(world, name, 400), values, at),
  )
}

/** A collection of a world, with its records as they are stored and as they are shown. */
interface WorldCollection {
  readonly live: LiveWorld
  readonly definition: Collection
  readonly records: CollectionStore<object>
  readonly written: Records<object>
  show(record: object): object
}

export function findCollection(world: World, name: string, status = 404): WorldCollection {
  const live = world.core
  const definition = collectionNamed(live, name)
  const names = live.collections.map((known) => known.name)
  if (!definition)
    throw new ControlError(
      status,
      'unknown_collection',
      describeProblem(`There is no collection ${quote(name)}`, name, names, true),
    )
  let hide: ((record: object) => object) | undefined
  return {
    live,
    definition,
    records: live.collection(definition),
    written: writtenIn(world, definition),
    show: (record: object) => (hide ??= createHider(live, definition))(record),
  }
}

/** Records that are written as code does: they fall due, and the world remembers the change. */
function writtenIn({ records }: World, { name }: Collection): Records<object> {
  return (records as Readonly<Record<string, Records<object>>>)[name]!
}

function parseRecords(
  collection: WorldCollection,
  values: readonly unknown[],
  now: number,
): object[] {
  const { definition } = collection
  const records = reveal(collection, values).map((value, index) =>
    parseRecord(definition, value, now, (schema, given) =>
      check(schema, given, `${definition.name}.${index}`),
    ),
  )
  try {
    createIndex(definition, records)
  } catch (error) {
    if (error instanceof DuplicateKeyError) throw invalid(error.message)
    throw error
  }
  return records
}

function parseRecord(
  definition: Collection,
  value: unknown,
  now: number,
  parse: (schema: z.ZodMiniType<object>, value: unknown) => object,
): object {
  const stored = definition.schema
  if (!definition.fixture || stored.safeParse(value).success) return parse(stored, value)
  const { schema, toRecord } = formOf(definition)
  return toRecord(parse(schema, value), now)
}

function reveal(
  { live, records, definition: { name, secrets } }: WorldCollection,
  values: readonly unknown[],
  among?: readonly object[],
): unknown[] {
  if (!secrets) return [...values]
  const shown = new Map<string, string>()
  const finders = live.secretFinders()
  const onHidden = (text: string, hidden: string) => shown.set(hidden, text)
  for (const record of among ?? records.all())
    hideSecrets(record, secrets(record), { finders, onHidden })
  return mapStrings(values, (text) => {
    if (shown.has(text)) return shown.get(text)
    if (!/^fp_[\da-f]{12}$/.test(text)) return text
    const what = name === 'keys' ? 'key' : 'secret'
    throw invalid(
      `There is no ${what} with the fingerprint ${text} in the world "${live.name}": send the ${what} itself.`,
    )
  }) as unknown[]
}

export function showRecord(call: Call): object {
  const { record, show } = recordOf(call)
  return show(record)
}

export function createRecord(call: Call, body: unknown): object {
  const { world } = call
  const collection = findCollection(world, call.param('collection'))
  const { live, definition, written, show } = collection
  const [value] = reveal(collection, [body])
  const given = parseRecord(definition, value, world.clock.now(), checkFields)
  assertAllThere(
    createMissingFinder({
      world: live,
      definition,
    })(given),
  )
  return show(written.create(given))
}

export function changeRecord(call: Call, body: unknown): object {
  const collection = recordOf(call)
  const { live, definition, written, record, show } = collection
  if (!isObject(body))
    throw toFieldError([
      {
        path: [],
        message: 'expected an object with the fields to change',
      },
    ])
  const [changes] = reveal(collection, [body], [record]) as [object]
  const merged = mergeChanges(definition, record, changes)
  const next = readMerged(definition, merged, call.world.clock.now())
  const fixed = [...new Set([definition.key, definition.owner, definition.parent])].flatMap(
    (read) => {
      if (read && read(next) !== read(record)) return [fieldOf(read)]
      return []
    },
  )
  const message = "it can't be changed: create another record instead"
  if (fixed.length > 0)
    throw toFieldError(
      fixed.map((field) => ({
        path: [field],
        message,
      })),
    )
  assertAllThere(
    createMissingFinder({
      world: live,
      definition,
    })(next, () => record),
  )
  const absent = mapFields(record as Fields, () => undefined)
  return show(written.update(definition.key(record), { ...absent, ...next })!)
}

/** `null` removes a field that cannot be `null`. */
function mergeChanges({ schema }: Collection, record: object, changes: object): object {
  const shape = toShape(schema)
  const merged: Record<string, unknown> = { ...record }
  for (const [field, value] of Object.entries(changes))
    if (value === null && shape[field] && !acceptsNull(shape[field])) delete merged[field]
    else merged[field] = value
  return merged
}

function readMerged(definition: Collection, merged: object, now: number): object {
  const { schema: stored, fixture } = definition
  if (!fixture || stored.safeParse(merged).success) return checkFields(stored, merged)
  const { schema, toStored } = formOf(definition)
  return checkFields(stored, toStored(checkFields(schema, merged), now))
}

export function deleteRecord(
  call: Call,
  {
    cascade,
    keep,
  }: {
    cascade: boolean
    keep: boolean
  },
): void {
  const { live, definition, record, written } = recordOf(call)
  const key = definition.key(record)
  try {
    assertDeletable(definition, key)
  } catch (error) {
    throw conflict('permanent_record', (error as Error).message)
  }
  if (keep) return void written.delete(key)
  if (!cascade) assertNoDependents(live, definition, key)
  removeWithDependents(call, definition, key)
}

function assertNoDependents(live: LiveWorld, definition: Collection, key: RecordKey) {
  const dependents = findDependents(live, definition, key)
  if (dependents.length === 0) return
  const named = dependents
    .map(({ definition: { name }, size }) => `${size} of "${name}"`)
    .join(', ')
  throw conflict(
    'record_in_use',
    `Other records refer to ${quote(String(key))}: ${named}. Delete them first, or delete all with ?cascade=true.`,
  )
}

function recordOf(call: Call) {
  const { world } = call
  const collection = findCollection(world, call.param('collection'))
  const { live, definition, records, show } = collection
  const id = call.param('id')
  const record =
    definition.name === 'keys' ? findRecordKey(live, records, id) : findById(records, id)
  if (record) return { ...collection, record }
  const ids = records
    .all()
    .slice(0, 1_000)
    .map((one) => String(definition.key(show(one))))
  throw notFound(
    'record',
    describeProblem(
      `The world "${world.name}" has no record ${quote(id)} in "${definition.name}"`,
      id,
      ids,
    ),
  )
}

function findById(records: WorldCollection['records'], id: string): object | undefined {
  return records.get(id) ?? (/^(0|-?[1-9]\d{0,18})$/.test(id) ? records.get(BigInt(id)) : undefined)
}

/**
 * Finds a key by its fingerprint, or by its name. The key itself finds nothing: it stands in no
 * address.
 */
function findRecordKey(
  live: LiveWorld,
  records: WorldCollection['records'],
  id: string,
): object | undefined {
  if (isPlainFixtureKey(live, id)) return records.get(id)
  return records.first((key) => fingerprintOf(key as Key) === id)
}

const fingerprints = new WeakMap<Readonly<Key>, string>()

/**
 * Returns the fingerprint of a stored key, cached, because a call searches all keys of a world,
 * which may be thousands.
 */
export function fingerprintOf(key: Readonly<Key>): string {
  return cached(fingerprints, key, () => toFingerprint(key.secret))
}

const maxNamed = 100

function checkFields<T>(schema: z.ZodMiniType<T>, value: unknown): T {
  const result = readBySchema(schema, value, 'caller')
  if ('data' in result) return result.data
  throw toFieldError(result.findings)
}

function toFieldError(findings: readonly Finding[]): ControlError {
  const fields = findings.map(({ path, message }) => ({
    path: toPointer(path),
    message,
  }))
  const [{ path, message }] = fields as [FieldError]
  const more = fields.length > 1 ? `; and ${fields.length - 1} more` : ''
  const place = path === '' ? 'The record is not valid' : path
  return invalid(`${place}: ${message}${more}`, fields.slice(0, maxNamed))
}

function assertAllThere(missing: readonly Finding[]) {
  if (missing.length > 0) throw toFieldError(missing)
}

function findDependents(world: LiveWorld, definition: Collection, key: RecordKey) {
  return allCollections(world).flatMap((other) =>
    Object.entries(relationsOf(other))
      .filter(([, target]) => target === definition.name)
      .map(([field]) => ({
        definition: other,
        field,
        size: referringRecords(world, other, field, key).length,
      }))
      .filter(({ size }) => size > 0),
  )
}

function removeWithDependents(
  call: Call,
  definition: Collection,
  key: RecordKey,
  seen = new Set<string>(),
) {
  const { world } = call
  // A record of a user's collection may name itself, or one that names it.
  const id = `${definition.name} ${String(key)}`
  if (seen.has(id)) return
  seen.add(id)
  assertDeletable(definition, key)
  for (const { definition: other, field } of findDependents(world.core, definition, key))
    for (const record of referringRecords(world.core, other, field, key))
      removeWithDependents(call, other, other.key(record), seen)
  writtenIn(world, definition).delete(key)
}

function referringRecords(
  world: LiveWorld,
  definition: Collection,
  field: string,
  key: RecordKey,
): readonly object[] {
  const records = world.collection(definition)
  const text = String(key)
  if (definition.parent && fieldOf(definition.parent) === field)
    return records.childrenOf(text).oldest()
  if (definition.owner && fieldOf(definition.owner) === field) return records.ownedBy(text).oldest()
  return records.all().filter((record) => {
    const other = (record as Record<string, unknown>)[field]
    return isRecordKey(other) && String(other) === text
  })
}
