import * as z from 'zod/mini'
import { accounts } from '../../core/accounts/accounts.ts'
import { cached } from '../../core/contract/cache.ts'
import { describeProblem } from '../../core/text/messages.ts'
import type { Contract } from '../../core/pipeline/area.ts'
import type { MatchedExchange } from '../../core/pipeline/effect.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { CollectionStore, createIndex } from '../../core/store/records.ts'
import { defineEffect } from '../language/effect-kind.ts'
import { described, optional } from '../../core/contract/zod.ts'

/** The records that requests see while the scenario is active. */
class ScenarioRecords {
  #records: CollectionStore<object> | undefined
  #owners: readonly string[] = []
  #ownersWithRecords = new Set<string>()
  readonly #copies = new Map<string, CollectionStore<object>>()

  changedRecords<T extends object>(
    { world, caller }: MatchedExchange,
    definition: CollectionDefinition<T>,
    {
      keep,
      add,
      now,
    }: {
      readonly keep: 'none' | undefined
      readonly add: number
      readonly now: number
    },
  ): CollectionStore<T> {
    if (!this.#records) {
      const kept = keep === 'none' ? [] : world.collection(definition).all()
      this.#owners = Array.from(world.collection(accounts).all(), ({ id }) => id)
      this.#records = new CollectionStore(createIndex(definition, kept, { isValid: true }))
    }
    const records = this.#records as CollectionStore<T>
    const owners = caller ? [caller.account.id] : this.#owners
    for (const owner of owners)
      if (!this.#ownersWithRecords.has(owner))
        for (const record of this.#generate(records, owner, add, now)) records.insert(record)
    return records
  }

  copyOf<T extends object>(
    { world }: MatchedExchange,
    definition: CollectionDefinition<T>,
  ): CollectionStore<T> {
    const copy = () => new CollectionStore<object>(world.collection(definition).share())
    return cached(this.#copies, definition.name, copy) as CollectionStore<T>
  }

  get bytes(): number {
    let bytes = 200 + (this.#records?.bytes ?? 0)
    for (const copy of this.#copies.values()) bytes += copy.bytes
    return bytes
  }

  clone(): ScenarioRecords {
    const copy = new ScenarioRecords()
    if (this.#records) copy.#records = new CollectionStore(this.#records.share())
    copy.#owners = this.#owners
    copy.#ownersWithRecords = new Set(this.#ownersWithRecords)
    for (const [name, records] of this.#copies)
      copy.#copies.set(name, new CollectionStore(records.share()))
    return copy
  }

  /**
   * Generates `count` records of an owner. Their keys are free, and differ from those that other
   * owners will get.
   */
  #generate<T extends object>(
    records: CollectionStore<T>,
    owner: string,
    count: number,
    now: number,
  ): T[] {
    const generated: T[] = []
    this.#ownersWithRecords.add(owner)
    const first = this.#owners.indexOf(owner)
    const { sample, key } = records.definition
    if (first < 0 || !sample) return generated
    for (let index = first; generated.length < count; index += this.#owners.length) {
      const record = sample(index, owner, now)
      if (!records.get(key(record))) generated.push(record)
    }
    return generated
  }
}

/**
 * Requests write to these records and to copies of related collections; the world's own records do
 * not change.
 */
export const recordsEffect = defineEffect({
  name: 'records',
  description: 'Changes which records requests see: none, or many more.',
  actsOn: 'everything',
  fields: {
    collection: described(z.string(), 'The collection: plants, apps and so on.'),
    keep: optional(z.literal('none'), 'none: the collection is empty.'),
    // 5,000 records take a few hundredths of a second.
    add: optional(
      z.int().check(z.gte(1), z.lte(5_000)),
      'How many records to add for each account.',
    ),
  },
  check({ collection, keep, add }, { collections, missingAreasNote: missing }) {
    if (keep === undefined && add === undefined) return 'expected "keep: none" or "add: <number>"'
    const names = collections.map(({ name }) => name)
    const known = collections.find(({ name }) => name === collection)
    if (!known) {
      const message =
        describeProblem('there is no such collection', collection, names, true) + missing
      return [{ path: ['collection'], message }]
    }
    if (add === undefined || known.sample) return []
    const generated = collections.filter(({ sample }) => sample).map(({ name }) => name)
    const message = `records of "${collection}" can't be generated, only those of ${generated.join(', ')} can`
    return [{ path: ['add'], message }]
  },
  reach({ collection }) {
    if (['accounts', 'keys'].includes(collection)) return ['plants', 'apps']
    return [collection === 'plants' ? 'plants' : 'apps']
  },
  create({ collection, keep, add = 0 }, { activation, id }) {
    const records = activation.persistentState(id, () => new ScenarioRecords())
    const { now } = activation
    const writtenWithIt = collectionsWrittenWith(collection, activation.contract.collections)
    return {
      did: `${keep ? 'hid the' : `added ${add}`} ${collection}`,
      replaceCollection(exchange, definition) {
        if (definition.name === collection)
          return records.changedRecords(exchange, definition, {
            keep,
            add,
            now,
          })
        if (writtenWithIt.has(definition.name)) return records.copyOf(exchange, definition)
        return undefined
      },
    }
  },
})

/** Returns the collections that are written together with one, directly or through another. */
function collectionsWrittenWith(
  name: string,
  collections: Contract['collections'],
): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (leading: string) => {
    for (const { name: next, writtenWith } of collections) {
      if (!writtenWith?.includes(leading) || found.has(next)) continue
      found.add(next)
      add(next)
    }
  }
  add(name)
  found.delete(name)
  return found
}
