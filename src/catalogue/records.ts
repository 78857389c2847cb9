import type { App } from '../areas/apps/apps/schemas.ts'
import type { Conversation, Message } from '../areas/apps/conversations/schemas.ts'
import type { Deployment } from '../areas/apps/deployments/schemas.ts'
import type { Credits, Purchase, Subscription } from '../areas/apps/payments/schemas.ts'
import type { User } from '../areas/apps/users/schemas.ts'
import type { Delivery, Webhook } from '../areas/apps/webhooks/schemas.ts'
import type { Plant } from '../areas/plants/schemas.ts'
import type { Account, Key, Plan } from '../core/accounts/accounts.ts'
import {
  isObject,
  rejectSecondArgument,
  throwAtCallSite,
  throwOnMisspeltNames,
} from '../core/contract/options.ts'
import { codedError } from '../core/text/error-codes.ts'
import { describeProblem, quote } from '../core/text/messages.ts'
import { type CollectionDefinition, isRecordKey, type RecordKey } from '../core/store/collection.ts'
import { checkArgument, list } from '../core/store/options.ts'
import type { FindOptions, Matches } from '../core/store/record-query.ts'
import { type CollectionStore, transact } from '../core/store/records.ts'
import type { NoNames, OwnNames } from './inferred-names.ts'
import type { Finding } from '../core/store/validation-message.ts'
import { type Texts, valueAt } from '../core/text/values.ts'
import type { OutsideChange } from '../core/world/changes.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import type { OwnRecordTypes } from './own-names.ts'

export type {
  Account,
  Key,
  OwnPlans,
  Plan,
  PlanFixture,
  PlanName,
  Scope,
} from '../core/accounts/accounts.ts'
export type { RecordKey } from '../core/store/collection.ts'

/**
 * The records of one collection in one world. Every call is synchronous. Records are frozen: change
 * one with `update`.
 * @example world.records.plants.find({ account: 'acct_pro' }, { orderBy: { name: 'asc' }, take: 3 })
 */
export interface Records<T extends object> {
  /**
   * How many records there are, or how many match. @throws TypeError for a field that records do
   * not have.
   */
  count(matches?: Matches<T>): number
  /** Returns the record with that key, or `undefined`. */
  get(key: RecordKey): Readonly<T> | undefined
  /** Returns all records, oldest first. */
  all(): Readonly<T>[]
  /**
   * Returns the records that match, oldest first unless `orderBy` says otherwise. It tests every
   * record.
   * @param matches a condition on fields, a function, or a `Query` of `greenhouse-mock/data`.
   * @throws TypeError for a field that records do not have.
   */
  find(matches: Matches<T>, options?: FindOptions<T>): Readonly<T>[]
  /**
   * Adds a record.
   * @throws DuplicateKeyError when its key exists; TypeError when it does not match the schema, or
   * names an account or another record that does not exist; DataMemoryError when the data of all
   * worlds reaches the option `memory`.
   */
  create(values: T): Readonly<T>
  /**
   * Changes the given fields of a record, and returns the changed record. Returns `undefined` when
   * no record has that key.
   * @throws TypeError when the result does not match the schema, or when `changes` would change the
   * record's key, owner or parent.
   */
  update(key: RecordKey, changes: Partial<T>): Readonly<T> | undefined
  /** Removes a record. Returns whether it existed. */
  delete(key: RecordKey): boolean
  /**
   * Replaces all records. When it throws, nothing changes.
   * @throws TypeError when a record does not match the schema; DuplicateKeyError when two records
   * have the same key.
   */
  replace(records: readonly T[]): void
}

/** The type of a record, by collection. */
export interface RecordTypes {
  accounts: Account
  keys: Key
  plants: Plant
  apps: App
  /** The end users of apps. */
  users: User
  conversations: Conversation
  messages: Message
  webhooks: Webhook
  deliveries: Delivery
  deployments: Deployment
  subscriptions: Subscription
  credits: Credits
  purchases: Purchase
  plans: Plan
}

/** The records of a world, by collection. */
export type WorldRecords<Own extends OwnNames = NoNames> = RecordsOf<RecordTypes> &
  RecordsOf<OwnRecordTypes> &
  RecordsOf<Own['records']>

type RecordsOf<Types> = { readonly [Name in keyof Types]: Records<Types[Name] & object> }

/** The records that a world starts with, by collection, instead of the fixtures. */
export type StartRecords<Own extends OwnNames = NoNames> = ListsOf<RecordTypes> &
  ListsOf<OwnRecordTypes> &
  ListsOf<Own['records']>

type ListsOf<Types> = { readonly [Name in keyof Types]?: readonly Types[Name][] | undefined }

/**
 * Returns `world.records`: the collections by name. Throws for a misspelt name.
 * @param findSeen finds the records that one request sees. Writes are then part of the request, so
 * the world does not remember them as changes.
 */
export function toWorldRecords(world: LiveWorld, findSeen?: FindRecords): WorldRecords {
  const records = {}
  for (const definition of world.collections)
    Object.defineProperty(records, definition.name, {
      enumerable: true,
      get: () => toRecords(world, definition, findSeen),
    })
  return throwOnMisspeltNames(records) as WorldRecords
}

function toRecords(
  world: LiveWorld,
  definition: CollectionDefinition<object>,
  findSeen: FindRecords | undefined,
): Records<object> {
  const { name } = definition
  // Asserts that the accounts and records exist that a record names.
  const assertRelated = (
    record: object,
    findBefore?: () => object | undefined,
    findMissing = createMissingFinder({ world, definition }),
  ) => {
    const [missing] = findMissing(record, findBefore)
    if (missing)
      throw codedError(
        'GREENHOUSE_INVALID_RECORD',
        `Failed to store a record of "${name}": ${missing.message}`,
      )
  }
  const records = findSeen?.(definition) ?? world.collection(definition)
  const recordChange = (change: OutsideChange) => {
    if (!findSeen) world.recordChange(change)
  }
  const recordWrite = (record: object, before?: object) => {
    // A scenario may show a request other records than the world's.
    if (records !== world.collection(definition)) return
    world.recordWritten(definition, record, before)
    recordChange({ put: { collection: name, record } })
  }
  const calls: Records<object> = {
    count: (matches) => records.count(matches),
    get: (key) => records.get(key),
    all: () => records.all(),
    find: (matches, options) => records.find(matches, options),
    create(values) {
      rejectSecondArgument('create', arguments, 'Call it once for each record.')
      assertRelated(values)
      const record = records.create(values)
      recordWrite(record)
      return record
    },
    update(key, changes) {
      // Work that is due by now belongs to the record as it was.
      if (!findSeen) world.catchUp()
      const before = records.get(key)
      assertRelated(changes, () => before)
      const change = () => {
        const record = records.update(key, changes)
        if (record) recordWrite(record, before)
        return record
      }
      // The effects of the change happen at the same time, and with it or not at all.
      return world.clock.during(() => transact(change))
    },
    delete(key) {
      const existed = records.delete(key)
      if (existed) recordChange({ remove: { collection: name, key } })
      return existed
    },
    replace(values) {
      checkArgument('replace', 'the first argument', values, recordList)
      // Values that are no objects are left to the schema of the collection, which reports them.
      const given = values.filter(isObject)
      const findMissing = createMissingFinder({
        world,
        definition,
        together: given,
      })
      for (const record of given)
        assertRelated(record, () => records.get(definition.key(record)), findMissing)
      records.replace(values)
      recordChange({
        replace: {
          collection: name,
          records: records.all(),
        },
      })
    },
  }
  return throwAtCallSite(calls, ['count', 'find', 'create', 'update', 'replace'])
}

export const recordList = list('a list of records')

type FindRecords = <T extends object>(definition: CollectionDefinition<T>) => CollectionStore<T>

/** Returns the collection that each field names a record of, such as `accounts` by `account`. */
export function relationsOf({ owner, refers }: CollectionDefinition<object>): Texts {
  if (owner)
    return {
      account: 'accounts',
      ...refers,
    }
  return { ...refers }
}

/** Where a record is stored. */
interface RecordPlace {
  readonly world: LiveWorld
  readonly definition: CollectionDefinition<object>
  /** The records that are stored together with this one, and replace all others. */
  readonly together?: readonly object[]
}

/**
 * Returns a function that finds what a record names and its world does not have. Its second
 * argument returns the record before a change, if there was one: what it named then may be gone.
 */
export function createMissingFinder({ world, definition, together }: RecordPlace) {
  const { name, key: keyOf, isOwn } = definition
  const relations = Object.entries(relationsOf(definition)).flatMap(([field, target]) => {
    const targetCollection = world.collections.find((other) => other.name === target)
    if (!targetCollection) return []
    const others = world.collection(targetCollection)
    const own = target === name ? together : undefined
    const keys = own && new Set(own.map((record) => String(keyOf(record))))
    const has = (key: RecordKey) => {
      if (keys) return keys.has(String(key))
      return others.get(key) !== undefined
    }
    return [{ field, target, others, has }]
  })
  // In a built-in record a number has the wrong type, which the schema reports.
  const isKey = (value: unknown): value is RecordKey => {
    if (isOwn) return isRecordKey(value)
    return typeof value === 'string'
  }
  return (record: unknown, findBefore?: () => object | undefined): Finding[] => {
    const missing: Finding[] = []
    for (const { field, target, others, has } of relations) {
      const key = valueAt(record, [field])
      if (!isKey(key) || has(key)) continue
      const before = findBefore?.()
      if (before && key === valueAt(before, [field])) continue
      const what = target === 'accounts' ? 'account' : `record of "${target}"`
      missing.push({
        path: [field],
        message: describeMissing(what, key, others),
      })
    }
    return missing
  }
}

export function describeMissing(
  what: string,
  key: RecordKey,
  records: {
    readonly definition: { key(record: object): RecordKey }
    all(): readonly object[]
  },
): string {
  const known = records.all().map((record) => String(records.definition.key(record)))
  return describeProblem(`there is no ${what} ${quote(String(key))}`, String(key), known)
}
