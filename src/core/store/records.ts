import { codedError, type GreenhouseErrorCode } from '../text/error-codes.ts'
import { recognizeAcrossBuilds } from '../contract/builds.ts'
import { cached } from '../contract/cache.ts'
import { withDefaults, type CollectionDefinition, type RecordKey } from './collection.ts'
import { toSentence, withoutMessages } from './validation-message.ts'
import { quote } from '../text/messages.ts'
import { sortAndSlice, toPredicate, type FindOptions, type Matches } from './record-query.ts'
import { type Entry, freezeRecord, OrderedEntries, RecordIndex } from './record-index.ts'
import type { SecretFinder } from '../secrets/known-secrets.ts'
import { byteSizeOf, type WorldMemory } from './memory.ts'

export class DuplicateKeyError extends Error {
  override name = 'DuplicateKeyError'
  readonly code: GreenhouseErrorCode = 'GREENHOUSE_DUPLICATE_KEY'
}

recognizeAcrossBuilds(DuplicateKeyError, 'DuplicateKeyError')

export type RecordChange = 'created' | 'updated' | 'deleted' | 'replaced'

export interface RecordsListener {
  /** False if nobody listens, so that nothing needs to be reported. */
  readonly isObserved: boolean
  /** @param key absent if several records were written. */
  written(collection: string, change: RecordChange, key?: RecordKey): void
  /** Called when all records of a collection are others. */
  replaced(collection: string, index: RecordIndex<object>): void
}

/** The bytes that a record takes in the index, besides its values. */
const recordSize = 200

/**
 * The records of one collection. Worlds share their starting records (fixtures, a snapshot) until
 * one of them writes. Everything is synchronous.
 */
export class CollectionStore<T extends object> {
  #index: RecordIndex<T>
  /** True if others have the same index, so that the next write copies it first. */
  #isShared = true
  readonly #memory: WorldMemory | undefined
  readonly #listener: RecordsListener | undefined
  #version: object | undefined
  #generation: object | undefined

  constructor(index: RecordIndex<T>, memory?: WorldMemory, listener?: RecordsListener) {
    this.#index = index
    this.#memory = memory
    this.#listener = listener
  }

  get definition(): CollectionDefinition<T> {
    return this.#index.definition
  }

  /** Returns another object after each write: replies are cached by it. */
  get version(): object {
    return (this.#version ??= {})
  }

  /** Returns another object after all records were replaced, but not after a single write. */
  get generation(): object {
    return (this.#generation ??= {})
  }

  count(matches?: Matches<T>): number {
    if (matches === undefined) return this.#index.size
    return this.find(matches).length
  }

  get(key: RecordKey): Readonly<T> | undefined {
    return this.#index.get(toStoredKey(key))?.record
  }

  all(): Readonly<T>[] {
    return this.#index.all()
  }

  find(matches: Matches<T>, options: FindOptions<T> = {}): Readonly<T>[] {
    const { name, schema } = this.definition
    const fields = Object.keys((schema as { readonly shape?: object }).shape ?? {})
    return sortAndSlice(
      this.all().filter(toPredicate(matches, name, fields)),
      options,
      name,
      fields,
    )
  }

  first(matches: (record: Readonly<T>) => boolean): Readonly<T> | undefined {
    return this.#index.first(matches)
  }

  ownedBy(owner: string): OrderedEntries<T> {
    return this.#index.ownedBy(owner) ?? new OrderedEntries()
  }

  childrenOf(parent: string): OrderedEntries<T> {
    return this.#index.childrenOf(parent) ?? new OrderedEntries()
  }

  /** Checks and adds a record. @param index its place among the others; the end by default */
  create(values: T, index?: number): Readonly<T> {
    return this.insert(validate(this.definition, values), index)
  }

  /** Adds a record without a check of its values. */
  insert(values: T, index?: number): Readonly<T> {
    const key = this.definition.key(values)
    if (this.#index.get(key)) throw toDuplicateKeyError(this.definition, key)
    return this.#write(undefined, values, index)
  }

  /** Changes and checks a record. Returns `undefined` if there is none with this key. */
  update(key: RecordKey, changes: Partial<T>): Readonly<T> | undefined {
    const before = this.#index.get(toStoredKey(key))
    return before && this.#writeChecked(before, changes)
  }

  #writeChecked(before: Entry<T>, changes: Partial<T>): Readonly<T> {
    const next = validate(this.definition, { ...before.record, ...changes })
    if (
      this.definition.key(next) !== this.definition.key(before.record) ||
      this.definition.owner?.(next) !== this.definition.owner?.(before.record) ||
      this.definition.parent?.(next) !== this.definition.parent?.(before.record)
    )
      throw codedError(
        'GREENHOUSE_INVALID_RECORD',
        `Failed to update a record of "${this.definition.name}": its key, owner and parent can't be changed.`,
      )
    return this.#write(before, next)
  }

  /**
   * Changes fields without a check: the values must be valid, and the key, the owner and the parent
   * stay the same.
   */
  change(key: RecordKey, changes: Partial<T>): Readonly<T> | undefined {
    const before = this.#index.get(toStoredKey(key))
    return before && this.#write(before, { ...before.record, ...changes })
  }

  /** Changes and checks a record that was just read, so that it has an entry. */
  amend(record: Readonly<T>, changes: Partial<T>): Readonly<T> {
    return this.#writeChecked(this.#index.get(this.definition.key(record)) as Entry<T>, changes)
  }

  delete(key: RecordKey): boolean {
    assertDeletable(this.definition, key)
    const entry = this.#index.get(toStoredKey(key))
    if (!entry) return false
    this.#remove(entry)
    return true
  }

  deleteChildren(parents: readonly string[]): Readonly<T>[] {
    const deleted = parents.flatMap(
      (parent) => this.#index.childrenOf(parent)?.take(Infinity) ?? [],
    )
    // The newest entry goes first, so that undoing begins with the oldest: an entry that returns to
    // the front of a chunk moves all others of the chunk.
    for (const entry of deleted.toReversed()) this.#remove(entry)
    return deleted.map(({ record }) => record)
  }

  /** Checks the given records, and puts them in the place of all others. */
  replace(records: readonly T[]): void {
    const index = createIndex(this.definition, records)
    this.#memory?.reserve(index.bytes - this.bytes)
    const former = this.#index
    currentTransaction?.undo.push(() => this.restore(former))
    this.adopt(index)
  }

  secretFinder(): SecretFinder {
    return this.#index.secretFinder()
  }

  /** Returns the present state, such as for a copy. It costs nothing until the next write. */
  share(): RecordIndex<T> {
    this.#isShared = true
    return this.#index
  }

  get bytes(): number {
    return this.#index.bytes
  }

  /** Goes back to the starting records, or to what `share` returned. No listener hears of it. */
  restore(index: RecordIndex<T>): void {
    this.#memory?.change(index.bytes - this.bytes)
    this.#index = index
    this.#version = undefined
    this.#generation = undefined
    this.#isShared = true
  }

  /** Takes over other records, and reports them to the listener. */
  adopt(index: RecordIndex<T>): void {
    this.restore(index)
    this.#listener?.replaced(this.definition.name, index)
    this.#notify('replaced')
  }

  /**
   * Takes over new starting records, unless a write changed the `former` ones. Returns whether it
   * did.
   */
  follow(former: RecordIndex<T>, next: RecordIndex<T>): boolean {
    if (this.#index !== former) return false
    this.restore(next)
    this.#notify('replaced')
    return true
  }

  #write(before: Entry<T> | undefined, values: T, index = before?.sequence): Readonly<T> {
    const bytes = recordSize + byteSizeOf(values)
    this.#memory?.reserve(bytes - (before?.bytes ?? 0))
    const after = this.#index.toEntry(freezeRecord(values), bytes, index)
    this.#swap(before, after)
    this.#notify(before ? 'updated' : 'created', after)
    return after.record
  }

  #remove(entry: Entry<T>): void {
    this.#swap(entry, undefined)
    this.#notify('deleted', entry)
  }

  #swap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    if (currentTransaction) this.#undoBySwap(after, before)
    if (this.#isShared) this.#index = this.#index.clone()
    this.#isShared = false
    this.#version = undefined
    this.#index.swap(before, after)
    this.#memory?.change((after?.bytes ?? 0) - (before?.bytes ?? 0))
  }

  /** A separate method, so that only a transaction pays for the function. */
  #undoBySwap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    currentTransaction?.undo.push(() => this.#swap(before, after))
  }

  #notify(change: RecordChange, entry?: Entry<T>): void {
    if (!this.#listener?.isObserved) return
    const key = entry && this.definition.key(entry.record)
    onCommit(() => this.#listener?.written(this.definition.name, change, key))
  }
}

/**
 * Creates the index of a collection's records. @param isCounted whether the records count toward
 * the world's memory; shared fixtures do not. @param isValid whether they were checked before.
 * @throws TypeError, DuplicateKeyError
 */
export function createIndex<T extends object>(
  definition: CollectionDefinition<T>,
  records: readonly T[],
  { isCounted = true, isValid = false } = {},
): RecordIndex<T> {
  const index = new RecordIndex(definition)
  for (const values of withDefaults(definition, records)) {
    const record = freezeRecord(isValid ? values : validate(definition, values))
    const key = definition.key(record)
    if (index.get(key)) throw toDuplicateKeyError(definition, key)
    index.swap(undefined, index.toEntry(record, isCounted ? recordSize + byteSizeOf(record) : 0))
  }
  return index
}

/** Returns a function that creates the index of a collection on the first call for it. */
export function createIndexLookup(
  recordsOf: <T extends object>(definition: CollectionDefinition<T>) => readonly T[],
  isValid: boolean,
): <T extends object>(definition: CollectionDefinition<T>) => RecordIndex<T> {
  const indexes = new Map<string, RecordIndex<object>>()
  return <T extends object>(definition: CollectionDefinition<T>) => {
    const create = () =>
      createIndex(definition, recordsOf(definition), {
        isCounted: false,
        isValid,
      })
    return cached<string, RecordIndex<object>>(indexes, definition.name, create) as RecordIndex<T>
  }
}

export function assertDeletable<T extends object>(
  definition: CollectionDefinition<T>,
  key: RecordKey,
): void {
  if (definition.defaults?.some((record) => definition.key(record) === key))
    throw codedError(
      'GREENHOUSE_INVALID_RECORD',
      `Failed to delete ${quote(String(key))}: it always exists. Change it.`,
    )
}

/** Returns a key as it is stored: a bigint only where a number would not be exact. */
function toStoredKey(key: RecordKey): RecordKey {
  if (typeof key === 'bigint' && Number.isSafeInteger(Number(key))) return Number(key)
  return key
}

function validate<T extends object>(definition: CollectionDefinition<T>, values: unknown): T {
  const { success, data, error } = definition.schema.safeParse(values, withoutMessages)
  if (success) return data
  const sentence = toSentence(error.issues[0]!, definition.schema, values)
  throw codedError(
    'GREENHOUSE_INVALID_RECORD',
    `Failed to store a record of "${definition.name}": ${sentence}`,
  )
}

function toDuplicateKeyError(
  { name }: { readonly name: string },
  key: RecordKey,
): DuplicateKeyError {
  return new DuplicateKeyError(
    `Failed to store a record of "${name}": the key ${quote(String(key))} exists already.`,
  )
}

interface Transaction {
  readonly undo: (() => void)[]
  readonly afterCommit: (() => void)[]
}

/** Work is synchronous, so there is at most one transaction in all worlds. */
let currentTransaction: Transaction | undefined

/**
 * Runs work as a transaction: if it throws, every record is as before. Within another transaction,
 * the work becomes part of the outer one.
 */
export function transact<T>(work: () => T): T {
  if (currentTransaction) return work()
  const transaction: Transaction = {
    undo: [],
    afterCommit: [],
  }
  currentTransaction = transaction
  let result: T
  try {
    result = work()
  } catch (error) {
    // Changes made while undoing are not recorded.
    currentTransaction = undefined
    for (const undo of transaction.undo.reverse()) undo()
    throw error
  }
  currentTransaction = undefined
  for (const callback of transaction.afterCommit) callback()
  return result
}

/**
 * Runs work that cannot be undone, such as a delivery, when the transaction succeeds; immediately
 * without one.
 */
export function onCommit(work: () => void): void {
  if (currentTransaction) currentTransaction.afterCommit.push(work)
  else work()
}
