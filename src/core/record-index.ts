import type { CollectionDefinition } from './records.ts'

/** A record in an index. `sequence` grows with every record; `shard` is where `@msw/data` keeps it, if it does. */
export interface Entry<T> {
  readonly sequence: number
  readonly record: Readonly<T>
  readonly shard?: unknown
}

/** The records of a collection by key and by owner; the lists are in the order of creation. */
export interface Index<T> {
  all: Entry<T>[]
  byKey: Map<string, Entry<T>>
  byOwner: Map<string, Entry<T>[]>
  next: number
}

export function emptyIndex<T>(): Index<T> {
  return { all: [], byKey: new Map(), byOwner: new Map(), next: 1 }
}

/** An index over records that are validated already or are now. @throws Error when one does not meet the schema or a key comes twice. */
export function createIndex<T extends object>(definition: CollectionDefinition<T>, records: readonly T[]): Index<T> {
  const index = emptyIndex<T>()
  for (const values of records) {
    const result = definition.schema['~standard'].validate(values)
    if (result instanceof Promise) throw new TypeError(`The schema of "${definition.name}" must be synchronous.`)
    if (result.issues) {
      const [issue] = result.issues
      const path = issue?.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
      throw new Error(`Failed to load a record of "${definition.name}": ${path ? path + ': ' : ''}${issue?.message}`)
    }
    if (index.byKey.has(String(definition.key(result.value))))
      throw new Error(`Failed to load a record of "${definition.name}": the key "${definition.key(result.value)}" comes twice.`)
    addEntry(index, definition, freeze(result.value))
  }
  return index
}

export function addEntry<T extends object>(index: Index<T>, definition: CollectionDefinition<T>, record: Readonly<T>, shard?: unknown): void {
  const entry: Entry<T> = { sequence: index.next++, record, shard }
  index.all.push(entry)
  index.byKey.set(String(definition.key(record)), entry)
  const owner = definition.owner?.(record)
  if (owner === undefined) return
  const owned = index.byOwner.get(owner)
  if (owned) owned.push(entry)
  else index.byOwner.set(owner, [entry])
}

export function replaceEntry<T extends object>(
  index: Index<T>,
  definition: CollectionDefinition<T>,
  before: Entry<T>,
  record: Readonly<T>,
  shard: unknown,
): void {
  const entry: Entry<T> = { sequence: before.sequence, record, shard }
  index.all[position(index.all, before)] = entry
  index.byKey.set(String(definition.key(record)), entry)
  const owned = index.byOwner.get(definition.owner?.(before.record) ?? '')
  if (owned) owned[position(owned, before)] = entry
}

export function removeEntry<T extends object>(index: Index<T>, definition: CollectionDefinition<T>, entry: Entry<T>): void {
  index.all.splice(position(index.all, entry), 1)
  index.byKey.delete(String(definition.key(entry.record)))
  const owned = index.byOwner.get(definition.owner?.(entry.record) ?? '')
  if (owned) owned.splice(position(owned, entry), 1)
}

/** Where the first entry with a sequence number of at least `sequence` stands, found by halving. */
export function firstFrom<T>(entries: readonly Entry<T>[], sequence: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]!.sequence < sequence) low = middle + 1
    else high = middle
  }
  return low
}

function position<T>(entries: readonly Entry<T>[], entry: Entry<T>): number {
  return firstFrom(entries, entry.sequence)
}

/** Freezes a record and all that it holds. */
export function freeze<T>(value: T): Readonly<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) freeze(part)
    Object.freeze(value)
  }
  return value
}
