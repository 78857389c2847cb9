import { SecretFinder } from '../secrets/secret-finder.ts'
import type { CollectionDefinition, RecordKey } from './collection.ts'
import { type Entry, OrderedEntries, Owner } from './ordered-entries.ts'

export interface RecordDifference<T> {
  readonly key: RecordKey
  readonly sequence: number
  readonly before: Readonly<T> | undefined
  readonly after: Readonly<T> | undefined
}

/** The entries of one owner or parent. An index that is not their owner copies them before it changes them. */
interface NamedList<T> {
  readonly owner: Owner
  readonly entries: OrderedEntries<T>
}

type ListsByName<T> = SharedMap<string, NamedList<T>>

/** The records of a collection by key, in order, and by owner and parent. Copies share what did not change. */
export class RecordIndex<T extends object> {
  readonly definition: CollectionDefinition<T>
  #owner = new Owner()
  #byKey = new SharedMap<RecordKey, Entry<T>>()
  #all = new OrderedEntries<T>()
  #byOwner: ListsByName<T> | undefined
  #byParent: ListsByName<T> | undefined
  #next = 1
  #secretFinder: SecretFinder | undefined
  /** The bytes of the records beyond the world's start. */
  bytes = 0

  constructor(definition: CollectionDefinition<T>) {
    this.definition = definition
    if (definition.owner) this.#byOwner = new SharedMap()
    if (definition.parent) this.#byParent = new SharedMap()
  }

  clone(): RecordIndex<T> {
    const copy = new RecordIndex(this.definition)
    copy.#byKey = this.#byKey.clone()
    copy.#all = this.#all.clone()
    copy.#byOwner = this.#byOwner?.clone()
    copy.#byParent = this.#byParent?.clone()
    copy.#next = this.#next
    copy.bytes = this.bytes
    this.#owner = new Owner()
    return copy
  }

  get size(): number {
    return this.#byKey.size
  }

  get(key: RecordKey): Entry<T> | undefined {
    return this.#byKey.get(key)
  }

  all(): Readonly<T>[] {
    return this.#all.oldest(Infinity)
  }

  first(matches: (record: Readonly<T>) => boolean): Readonly<T> | undefined {
    return this.#all.take(1, { matches })[0]?.record
  }

  ownedBy(owner: string): OrderedEntries<T> | undefined {
    return this.#byOwner?.get(owner)?.entries
  }

  childrenOf(parent: string): OrderedEntries<T> | undefined {
    return this.#byParent?.get(parent)?.entries
  }

  secretFinder(): SecretFinder {
    const { secrets } = this.definition
    return (this.#secretFinder ??= new SecretFinder(secrets ? this.all().flatMap(secrets) : []))
  }

  /** Compares both as they are now, whatever is written meanwhile. A record replaced by an equal one counts too. */
  changesSince(former: RecordIndex<T>): Iterable<RecordDifference<T>> {
    return former === this ? [] : differences(this.#byKey.clone(), former.#byKey.clone())
  }

  /** Returns an entry for a new record. @param bytes 0 if it does not count. @param sequence a free position; the end by default. */
  toEntry(record: Readonly<T>, bytes: number, sequence = this.#next): Entry<T> {
    // Most entries of fixtures have no `bytes`: that saves 8 MB for a million.
    return bytes === 0 ? { sequence, record } : { sequence, record, bytes }
  }

  /** Adds, removes or replaces an entry: the other one is absent, or has the same key, owner and parent. */
  swap(before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    const { key, owner, parent } = this.definition
    const record = (before ?? after)!.record as T
    this.#secretFinder = undefined
    this.bytes += (after?.bytes ?? 0) - (before?.bytes ?? 0)
    if (after) {
      this.#byKey.set(key(record), after)
      this.#next = Math.max(this.#next, after.sequence + 1)
    } else this.#byKey.delete(key(record))
    this.#all.swap(before, after)
    const name = owner?.(record)
    if (name !== undefined) this.#swapIn(this.#byOwner!, name, before, after)
    if (parent) this.#swapIn(this.#byParent!, parent(record), before, after)
  }

  #swapIn(lists: ListsByName<T>, name: string, before: Entry<T> | undefined, after: Entry<T> | undefined): void {
    let list = lists.get(name)
    if (list?.owner !== this.#owner) {
      list = { owner: this.#owner, entries: list ? list.entries.clone() : new OrderedEntries() }
      lists.set(name, list)
    }
    list.entries.swap(before, after)
    if (list.entries.size === 0) lists.delete(name)
  }
}

function* differences<T>(
  present: SharedMap<RecordKey, Entry<T>>,
  former: SharedMap<RecordKey, Entry<T>>,
): Generator<RecordDifference<T>> {
  for (const [key, before, after] of present.changesSince(former))
    yield { key, sequence: (before ?? after)!.sequence, before: before?.record, after: after?.record }
}

export function freezeRecord<T extends object>(value: T): Readonly<T> {
  for (const name in value) {
    const part = value[name]
    if (typeof part === 'object' && part !== null) freezeRecord(part)
  }
  return Object.freeze(value)
}

/** A node has either entries or the nodes below it. Only the map with the token `owner` may change it; others copy it first. */
interface Node<K, V> {
  readonly owner: Owner
  entries: Map<K, V> | undefined
  below: Node<K, V>[] | undefined
}

/** A node with more entries is split. */
const fullNode = 32
const branches = 16
const maxDepth = 4

/** A hash trie: copies share unchanged nodes, so one costs the same for 1,000,000 entries as for 5. */
class SharedMap<K extends RecordKey, V> {
  #owner = new Owner()
  #root: Node<K, V> = { owner: this.#owner, entries: new Map(), below: undefined }
  size = 0

  get(key: K): V | undefined {
    let node = this.#root
    if (node.below) for (let bits = hash(key); node.below; bits >>>= 4) node = node.below[bits % branches]!
    return node.entries!.get(key)
  }

  set(key: K, value: V): void {
    const entries = this.#writable(key)
    const before = entries.size
    entries.set(key, value)
    this.size += entries.size - before
  }

  delete(key: K): void {
    if (this.get(key) !== undefined && this.#writable(key).delete(key)) this.size--
  }

  *changesSince(former: SharedMap<K, V>): Generator<[key: K, before: V | undefined, after: V | undefined]> {
    for (const entries of unlike(this.#root, former.#root))
      for (const [key, after] of entries) {
        const before = former.get(key)
        if (before !== after) yield [key, before, after]
      }
    for (const entries of unlike(former.#root, this.#root))
      for (const [key, before] of entries) if (this.get(key) === undefined) yield [key, before, undefined]
  }

  clone(): SharedMap<K, V> {
    const copy = new SharedMap<K, V>()
    copy.#root = this.#root
    copy.size = this.size
    this.#owner = new Owner()
    return copy
  }

  #writable(key: K): Map<K, V> {
    let node = (this.#root = this.#owned(this.#root))
    let bits = hash(key)
    for (let depth = 0; ; depth++) {
      if (node.entries && depth < maxDepth && node.entries.size >= fullNode) this.#split(node, depth)
      if (!node.below) return node.entries!
      const index = bits % branches
      node = node.below[index] = this.#owned(node.below[index]!)
      bits >>>= 4
    }
  }

  #owned(node: Node<K, V>): Node<K, V> {
    const owner = this.#owner
    if (node.owner === owner) return node
    return { owner, entries: node.entries && new Map(node.entries), below: node.below?.slice() }
  }

  #split(node: Node<K, V>, depth: number): void {
    const owner = this.#owner
    const below = Array.from({ length: branches }, () => ({ owner, entries: new Map<K, V>(), below: undefined }))
    for (const [key, value] of node.entries!) below[(hash(key) >>> (4 * depth)) % branches]!.entries.set(key, value)
    node.entries = undefined
    node.below = below
  }
}

/** Yields the entries of a node, without those below nodes that the other one shares. */
function* unlike<K, V>(node: Node<K, V>, other: Node<K, V> | undefined): Generator<Map<K, V>> {
  if (node === other) return
  if (node.entries) yield node.entries
  for (const [index, one] of node.below?.entries() ?? []) yield* unlike(one, other?.below?.[index])
}

/** Hashes the last characters, which differ most between ids and between numbers. */
function hash(key: RecordKey): number {
  if (typeof key === 'number') return key >>> 0
  if (typeof key === 'bigint') return Number(BigInt.asUintN(32, key))
  let sum = key.length
  for (let at = Math.max(0, key.length - 6); at < key.length; at++) sum = (Math.imul(sum, 31) + key.charCodeAt(at)) | 0
  return sum >>> 0
}
