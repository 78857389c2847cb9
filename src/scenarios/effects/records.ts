import * as z from 'zod/mini'
import { accounts } from '../../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import type { Contract } from '../../core/pipeline/contract.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { createIndex, Records } from '../../core/store/records.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import type { Activation } from '../activation.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createTrigger } from '../trigger.ts'

const spec = z
  .strictObject({
    collection: z.string(),
    /** Without the records that are there. */
    keep: z.optional(z.literal('none')),
    /** With more of each account: 5,000 are made in some hundredths of a second. */
    add: z.optional(z.int().check(z.gte(1), z.lte(5_000))),
    ...conditions,
  })
  .check(
    z.refine(({ keep, add }) => keep !== undefined || add !== undefined, 'expected "keep: none" or "add: <number>"'),
  )

/**
 * `records`: requests see other records than the world's: none of them, or many more. What is written meanwhile is written
 * there, and what comes with it to copies of the other collections, so that the world's own are as they were when the scenario is
 * cleared.
 */
export const recordsEffect = defineEffect({
  name: 'records',
  schema: z.array(spec),
  check: (specs, { collections }) =>
    specs.flatMap(({ collection, add }, index) => {
      const names = collections.map(({ name }) => name)
      const known = collections.find(({ name }) => name === collection)
      if (!known)
        return [
          {
            path: [index, 'collection'],
            message: `there is no such collection; expected one of ${names.join(', ')}.${suggest(collection, names)}`,
          },
        ]
      return add === undefined || known.sample
        ? []
        : [
            {
              path: [index, 'add'],
              message: `records of "${collection}" can't be made up; those of ${collections
                .filter(({ sample }) => sample)
                .map(({ name }) => name)
                .join(', ')} can`,
            },
          ]
    }),
  reach: (specs) =>
    specs.flatMap(({ collection }) =>
      ofBoth.includes(collection) ? ['plants', 'apps'] : [collection === 'plants' ? 'plants' : 'apps'],
    ),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const id = `records.${index}`
      const view = activation.lasting(id, () => new View())
      const following = followersOf(spec.collection, activation.contract.collections)
      return {
        ...createTrigger(spec, id, activation, 'on everything'),
        collection(exchange, definition) {
          if (definition.name === spec.collection) return view.of(exchange, definition, spec, activation)
          return following.has(definition.name) ? view.copyOf(exchange, definition) : undefined
        },
      }
    }),
})

/** The names of the collections that are written to with this one. */
function followersOf(name: string, collections: Contract['collections']): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (leading: string) => {
    for (const { name: next, goesWith } of collections) {
      if (!goesWith?.includes(leading) || found.has(next)) continue
      found.add(next)
      add(next)
    }
  }
  add(name)
  found.delete(name)
  return found
}

/** The collections that both areas look at. */
const ofBoth = ['accounts', 'keys']

/** The records that requests see. Those that are made up for an account are made when its first request looks. */
class View {
  #records: Records<never> | undefined
  #owners: readonly string[] = []
  #made = new Set<string>()
  /** Of the collections that are written to with it. */
  readonly #copies = new Map<string, Records<never>>()

  of<T extends object>(
    { world, caller }: Exchange,
    definition: CollectionDefinition<T>,
    { keep, add = 0 }: z.infer<typeof spec>,
    { now }: Activation,
  ): Records<T> {
    if (!this.#records) {
      const kept = keep === 'none' ? [] : world.collection(definition).all()
      this.#owners = world
        .collection(accounts)
        .all()
        .map(({ id }) => id)
      this.#records = new Records(
        definition,
        createIndex(definition, kept, { isValid: true }),
      ) as unknown as Records<never>
    }
    const records = this.#records as unknown as Records<T>
    const waiting = caller ? [caller.account.id] : this.#owners
    if (add > 0)
      for (const owner of waiting) if (!this.#made.has(owner)) records.include(this.#makeUp(records, owner, add, now))
    return records
  }

  /** The records of another collection, as they were when they were first looked at. */
  copyOf<T extends object>({ world }: Exchange, definition: CollectionDefinition<T>): Records<T> {
    let copy = this.#copies.get(definition.name) as unknown as Records<T> | undefined
    if (!copy) {
      copy = new Records(definition, world.collection(definition).share())
      this.#copies.set(definition.name, copy as unknown as Records<never>)
    }
    return copy
  }

  get bytes(): number {
    let bytes = 200 + (this.#records?.bytes ?? 0)
    for (const copy of this.#copies.values()) bytes += copy.bytes
    return bytes
  }

  clone(): View {
    const copy = new View()
    if (this.#records) copy.#records = new Records(this.#records.definition, this.#records.share())
    copy.#owners = this.#owners
    copy.#made = new Set(this.#made)
    for (const [name, records] of this.#copies) copy.#copies.set(name, new Records(records.definition, records.share()))
    return copy
  }

  /** Records of an owner, `count` of them, none with a key that is taken or that another owner's will have. */
  #makeUp<T extends object>(records: Records<T>, owner: string, count: number, now: number): T[] {
    const made: T[] = []
    this.#made.add(owner)
    const first = this.#owners.indexOf(owner)
    if (first < 0) return made
    const { sample, key } = records.definition
    for (let place = first; made.length < count; place += this.#owners.length) {
      const record = sample!(place, owner, now)
      if (!records.get(key(record))) made.push(record)
    }
    return made
  }
}
