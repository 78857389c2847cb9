import { accounts } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import { createIndex, CollectionStore } from '../core/store/records.ts'

export class ScenarioRecords {
  #records: CollectionStore<never> | undefined
  #owners: readonly string[] = []
  #made = new Set<string>()
  readonly #copies = new Map<string, CollectionStore<never>>()

  of<T extends object>(
    { world, caller }: Exchange,
    definition: CollectionDefinition<T>,
    { keep, add, now }: { readonly keep: 'none' | undefined; readonly add: number; readonly now: number },
  ): CollectionStore<T> {
    if (!this.#records) {
      const kept = keep === 'none' ? [] : world.collection(definition).all()
      this.#owners = world
        .collection(accounts)
        .all()
        .map(({ id }) => id)
      this.#records = new CollectionStore(
        createIndex(definition, kept, { isValid: true }),
      ) as unknown as CollectionStore<never>
    }
    const records = this.#records as unknown as CollectionStore<T>
    const waiting = caller ? [caller.account.id] : this.#owners
    if (add > 0)
      for (const owner of waiting) if (!this.#made.has(owner)) records.include(this.#generate(records, owner, add, now))
    return records
  }

  copyOf<T extends object>({ world }: Exchange, definition: CollectionDefinition<T>): CollectionStore<T> {
    let copy = this.#copies.get(definition.name) as unknown as CollectionStore<T> | undefined
    if (!copy) {
      copy = new CollectionStore(world.collection(definition).share())
      this.#copies.set(definition.name, copy as unknown as CollectionStore<never>)
    }
    return copy
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
    copy.#made = new Set(this.#made)
    for (const [name, records] of this.#copies) copy.#copies.set(name, new CollectionStore(records.share()))
    return copy
  }

  /** Generates `count` records of an owner. Their keys are free, and differ from those that other owners will get. */
  #generate<T extends object>(records: CollectionStore<T>, owner: string, count: number, now: number): T[] {
    const made: T[] = []
    this.#made.add(owner)
    const first = this.#owners.indexOf(owner)
    if (first < 0) return made
    const { sample, key } = records.definition
    for (let index = first; made.length < count; index += this.#owners.length) {
      const record = sample!(index, owner, now)
      if (!records.get(key(record))) made.push(record)
    }
    return made
  }
}
