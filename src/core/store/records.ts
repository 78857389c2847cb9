import { recognizeAcrossBuilds } from '../contract/across-builds.ts'
import { withDefaults, type CollectionDefinition, type RecordKey } from './collection.ts'
import { toSentence, withoutMessages } from './validation-message.ts'
import { quote } from '../text/messages.ts'
import { arrange, toPredicate, type FindOptions, type Matches } from './record-query.ts'
import { freezeRecord, RecordIndex, type RecordDifference } from './record-index.ts'
import { SecretFinder } from '../secrets/secret-finder.ts'
import { OrderedEntries, type Entry } from './ordered-entries.ts'
import { byteSizeOf, type WorldMemory } from './data-memory.ts'
import { isTransacting, onCommit, onRollback } from './transaction.ts'

export type Stored<T> = Readonly<T>

export class DuplicateKeyError extends Error {
  override name = 'DuplicateKeyError'
}

recognizeAcrossBuilds(DuplicateKeyError, 'DuplicateKeyError')

export type RecordChange = 'created' | 'updated' | 'deleted' | 'replaced'

export interface RecordsListener {
  readonly isObserved: boolean
  /** @param key absent if several records were written. */
  written(collection: string, change: RecordChange, key?: RecordKey): void
  replaced(collection: string, index: RecordIndex<object>): void
}

/** The bytes of a record's entry in the index, without the record. */
const recordSize = 200

/** Worlds that share an index share its finder. `writes` shows when one world's index has changed. */
const finders = new WeakMap<object, { readonly writes: number; readonly finder: SecretFinder }>()

/** Worlds share their starting records (fixtures, a snapshot) until one of them writes. Everything is synchronous. */
export class CollectionStore<T extends object> {
  #index: RecordIndex<T>
  #shared = true
  #writes = 0
  readonly #memory: WorldMemory | undefined
  readonly #listener: RecordsListener | undefined
  /** The bytes counted in the world's memory: of these records, and of those that snapshots hold. @internal */
  counted = 0
  #age = 0
  /** The part of `counted` that snapshots may hold; `undefined` without a snapshot. */
  #heldBytes: number | undefined
  #version: object | undefined
  #generation: object | undefined

  /** @internal @param memory counts what is written. */
  constructor(index: RecordIndex<T>, memory?: WorldMemory, listener?: RecordsListener) {
    this.#index = index
    this.#memory = memory
    this.#listener = listener
  }

  /** The collection's definition. @internal */
  get definition(): CollectionDefinition<T> {
    return this.#index.definition
  }

  /** Identifies the state of the records: a different object after every write. @internal */
  get version(): object {
    return (this.#version ??= {})
  }

  /** Identifies the last replacement of all records: a different object after each `replace` and `restore`. @internal */
  get generation(): object {
    return (this.#generation ??= {})
  }

  count(matches?: Matches<T>): number {
    return matches === undefined ? this.#index.size : this.find(matches).length
  }

  get(key: RecordKey): Stored<T> | undefined {
    return this.#index.get(toKey(key))?.record
  }

  all(): Stored<T>[] {
    return this.#index.all()
  }

  find(matches: Matches<T>, options: FindOptions<T> = {}): Stored<T>[] {
    const { name, schema } = this.definition
    const fields = Object.keys((schema as { readonly shape?: object }).shape ?? {})
    return arrange(this.all().filter(toPredicate(matches, name, fields)), options, name, fields)
  }

  /** Returns the oldest record that `matches` accepts, without copying a list. @internal */
  first(matches: (record: Stored<T>) => boolean): Stored<T> | undefined {
    return this.#index.first(matches)
  }

  /** Returns the records of one owner, in the order of creation. @internal */
  ownedBy(owner: string): OrderedEntries<T> {
    return this.#index.ownedBy(owner) ?? new OrderedEntries()
  }

  /** Returns the records of one parent, in the order of creation. @internal */
  childrenOf(parent: string): OrderedEntries<T> {
    return this.#index.childrenOf(parent) ?? new OrderedEntries()
  }

  /** @param index a free position in the order of creation. */
  create(values: T, index?: number): Stored<T> {
    return this.insert(validate(this.definition, values), index)
  }

  /** Returns the position of a record in the order of creation: a number that no other record ever has. @internal */
  indexOf(key: RecordKey): number | undefined {
    return this.#index.get(toKey(key))?.sequence
  }

  /** Adds a valid record. @throws DuplicateKeyError if its key exists. @internal */
  insert(values: T, index?: number): Stored<T> {
    const key = this.definition.key(values)
    if (this.#index.get(key)) throw duplicate(this.definition, key)
    const bytes = recordSize + byteSizeOf(values)
    this.#memory?.reserve(bytes)
    const record = freezeRecord(values)
    this.#writable().add(record, { bytes, age: this.#age }, index)
    this.#count(bytes)
    if (isTransacting()) onRollback(() => this.delete(key))
    if (this.#listener?.isObserved) this.#notify('created', key)
    return record
  }

  update(key: RecordKey, changes: Partial<T>): Stored<T> | undefined {
    const before = this.#index.get(toKey(key))
    if (!before) return undefined
    const next = validate(this.definition, { ...before.record, ...changes })
    if (
      this.definition.key(next) !== toKey(key) ||
      this.definition.owner?.(next) !== this.definition.owner?.(before.record) ||
      this.definition.parent?.(next) !== this.definition.parent?.(before.record)
    )
      throw new TypeError(
        `Failed to update a record of "${this.definition.name}": its key, owner and parent can't be changed.`,
      )
    return this.#replace(before, next)
  }

  /**
   * Changes fields without a check: the values must be valid, and the key, the owner and the parent stay the same.
   * @internal
   */
  change(key: RecordKey, changes: Partial<T>): Stored<T> | undefined {
    const before = this.#index.get(toKey(key))
    return before && this.#replace(before, { ...before.record, ...changes })
  }

  delete(key: RecordKey): boolean {
    assertDeletable(this.definition, key)
    const entry = this.#index.get(toKey(key))
    if (!entry) return false
    this.#writable().remove(entry)
    this.#count(-this.#freed(entry))
    if (isTransacting()) onRollback(() => this.#putBack([entry]))
    if (this.#listener?.isObserved) this.#notify('deleted', toKey(key))
    return true
  }

  /** Deletes and returns all records of some parents. @internal */
  deleteChildren(parents: readonly string[]): Stored<T>[] {
    if (parents.every((parent) => this.#index.childrenOf(parent) === undefined)) return []
    const gone = this.#writable().removeChildren(parents)
    this.#count(-gone.reduce((sum, entry) => sum + this.#freed(entry), 0))
    if (isTransacting()) onRollback(() => this.#putBack(gone))
    if (this.#listener?.isObserved) for (const { record } of gone) this.#notify('deleted', this.definition.key(record))
    return gone.map(({ record }) => record)
  }

  replace(records: readonly T[]): void {
    const index = createIndex(this.definition, records, { age: this.#age })
    this.#memory?.reserve((this.#heldBytes ?? 0) + index.bytes - this.counted)
    if (isTransacting()) {
      const former = this.#index
      const counted = this.counted
      onRollback(() => this.#use(former, counted))
    }
    this.adopt(index)
    this.#listener?.replaced(this.definition.name, index)
    if (this.#listener?.isObserved) this.#notify('replaced')
  }

  /** Returns a finder of the records' secrets, recreated after a write. @internal */
  secretFinder(): SecretFinder {
    let made = finders.get(this.#index)
    if (made?.writes !== this.#writes) {
      const { secrets } = this.definition
      made = { writes: this.#writes, finder: new SecretFinder(secrets ? this.all().flatMap(secrets) : []) }
      finders.set(this.#index, made)
    }
    return made.finder
  }

  /** Returns the present state for a copy; costs nothing until the next write. @internal */
  share(): RecordIndex<T> {
    this.#shared = true
    return this.#index
  }

  /** Returns the present state for a snapshot. @internal */
  save(): RecordIndex<T> {
    this.#age++
    this.#heldBytes = this.counted
    return this.share()
  }

  /** Returns a function that puts everything back as it is now. @internal */
  checkpoint(): () => void {
    const index = this.share()
    const [counted, age, heldBytes] = [this.counted, this.#age, this.#heldBytes] as const
    return () => {
      this.#use(index, counted)
      this.#age = age
      this.#heldBytes = heldBytes
    }
  }

  /** Yields the differences from a result of `save`, in no particular order. @internal */
  changesSince(former: RecordIndex<T>): Iterable<RecordDifference<T>> {
    return this.#index.changesSince(former)
  }

  /** The bytes beyond the world's start. @internal */
  get bytes(): number {
    return this.#index.bytes
  }

  /** Frees the memory that only deleted snapshots held. @param kept the results of `save` that are left. */
  recount(kept: ReadonlySet<RecordIndex<T>>): void {
    this.#index.forgetCopies(kept.size + 1)
    let held = 0
    for (const index of kept) held += index.bytes
    this.#heldBytes = kept.size === 0 ? undefined : Math.min(this.#heldBytes ?? 0, held)
    const max = kept.has(this.#index) ? held : held + this.#index.bytes
    this.#count(Math.min(0, max - this.counted))
  }

  /** Restores the starting records, or a result of `save`, whose bytes are counted already. @internal */
  restore(index: RecordIndex<T>): void {
    this.#use(index, this.#heldBytes ?? 0)
  }

  /** Replaces all records by valid new ones. @internal */
  adopt(index: RecordIndex<T>): void {
    this.#use(index, (this.#heldBytes ?? 0) + index.bytes)
  }

  #use(index: RecordIndex<T>, counted: number): void {
    this.#index = index
    this.#version = undefined
    this.#generation = undefined
    this.#count(counted - this.counted)
    this.#shared = true
  }

  /**
   * Replaces the starting records unless something was written since `former`; returns whether it replaced them.
   * @internal
   */
  follow(former: RecordIndex<T>, next: RecordIndex<T>): boolean {
    if (this.#index !== former) return false
    this.restore(next)
    if (this.#listener?.isObserved) this.#notify('replaced')
    return true
  }

  #replace(before: Entry<T>, next: T): Stored<T> {
    const bytes = recordSize + byteSizeOf(next)
    this.#memory?.reserve(bytes - (before.bytes ?? 0))
    const record = freezeRecord(next)
    this.#writable().replace(before, record, { bytes, age: this.#age })
    this.#count(bytes - this.#freed(before))
    if (isTransacting())
      onRollback(() => {
        this.#writable().replace(this.#index.get(this.definition.key(next))!, before.record, before)
        this.#count(this.#freed(before) - bytes)
      })
    if (this.#listener?.isObserved) this.#notify('updated', this.definition.key(next))
    return record
  }

  #notify(change: RecordChange, key?: RecordKey): void {
    onCommit(() => this.#listener?.written(this.definition.name, change, key))
  }

  #putBack(entries: readonly Entry<T>[]): void {
    for (const entry of entries) {
      this.#writable().putBack(entry)
      this.#count(this.#freed(entry))
    }
  }

  include(values: readonly T[]): void {
    const index = this.#writable()
    let bytes = 0
    for (const value of values) {
      const byteSize = recordSize + byteSizeOf(value)
      index.add(freezeRecord(value), { bytes: byteSize, age: this.#age })
      bytes += byteSize
    }
    this.#count(bytes)
    if (isTransacting()) onRollback(() => values.forEach((value) => this.delete(this.definition.key(value))))
  }

  /** Returns the bytes that a removed entry frees: none if a snapshot or the fixtures still hold it. */
  #freed({ bytes = 0, age = 0 }: Entry<T>): number {
    return age === this.#age || this.#heldBytes === undefined ? bytes : 0
  }

  #count(bytes: number): void {
    this.counted += bytes
    this.#memory?.change(bytes)
  }

  #writable(): RecordIndex<T> {
    if (this.#shared) {
      this.#count(this.#index.cloneSize)
      this.#index = this.#index.clone()
    }
    this.#shared = false
    this.#version = undefined
    this.#writes++
    return this.#index
  }
}

/**
 * Creates an index of a collection's starting records. @param isCounted whether they count toward the world's memory; shared
 * fixtures do not. @param isValid whether they are already validated. @param age how many times the collection was shared before.
 * @throws TypeError if one does not match the schema, DuplicateKeyError if a key occurs twice.
 */
export function createIndex<T extends object>(
  definition: CollectionDefinition<T>,
  records: readonly T[],
  { isCounted = true, isValid = false, age = 0 } = {},
): RecordIndex<T> {
  const index = new RecordIndex(definition)
  for (const values of withDefaults(definition, records)) addTo(index, definition, values, { isCounted, isValid, age })
  return index
}

export function addTo<T extends object>(
  index: RecordIndex<T>,
  definition: CollectionDefinition<T>,
  values: T,
  { isCounted, isValid = false, age = 0 }: { isCounted: boolean; isValid?: boolean; age?: number },
): void {
  const record = freezeRecord(isValid ? values : validate(definition, values))
  const key = definition.key(record)
  if (index.get(key)) throw duplicate(definition, key)
  index.add(record, isCounted ? { bytes: recordSize + byteSizeOf(record), age } : undefined)
}

export function assertDeletable<T extends object>(definition: CollectionDefinition<T>, key: RecordKey): void {
  if (definition.defaults?.some((record) => definition.key(record) === key))
    throw new TypeError(`Failed to delete ${quote(String(key))}: it always exists. Change it.`)
}

/** Normalizes a key: it is a bigint only where a number would not be exact. */
function toKey(key: RecordKey): RecordKey {
  return typeof key === 'bigint' && Number.isSafeInteger(Number(key)) ? Number(key) : key
}

function validate<T extends object>(definition: CollectionDefinition<T>, values: unknown): T {
  const { success, data, error } = definition.schema.safeParse(values, withoutMessages)
  if (success) return data
  const sentence = toSentence(error.issues[0]!, definition.schema, values)
  throw new TypeError(`Failed to store a record of "${definition.name}": ${sentence}`)
}

function duplicate({ name }: { readonly name: string }, key: RecordKey): DuplicateKeyError {
  return new DuplicateKeyError(`Failed to store a record of "${name}": the key ${quote(String(key))} exists already.`)
}
