import * as z from 'zod/mini'
import { accounts } from '../../core/accounts.ts'
import type { CollectionDefinition } from '../../core/collection.ts'
import type { Exchange } from '../../core/exchange.ts'
import { createIndex, Records } from '../../core/records.ts'
import { suggest } from '../../core/suggest.ts'
import type { Activation } from '../activation.ts'
import { conditions } from '../condition.ts'
import { defineEffect } from '../effect-kind.ts'
import { createTrigger } from '../trigger.ts'

const spec = z
  .strictObject({
    collection: z.string(),
    /** Without the records that are there. */
    keep: z.optional(z.literal('none')),
    /** With so many more of each account: 5,000 are made in some hundredths of a second. */
    add: z.optional(z.int().check(z.gte(1), z.lte(5_000))),
    ...conditions,
  })
  .check(z.refine(({ keep, add }) => keep !== undefined || add !== undefined, 'expected "keep: none" or "add: <number>"'))

/**
 * `records`: requests see other records than the world's: none of them, or many more. What is written meanwhile is written
 * there, so that the world's own are as they were when the scenario is cleared.
 */
export const recordsEffect = defineEffect({
  name: 'records',
  schema: z.array(spec),
  check: (specs, { collections }) =>
    specs.flatMap(({ collection, add }, index) => {
      const names = collections.map(({ name }) => name)
      const known = collections.find(({ name }) => name === collection)
      if (!known) return [{ path: [index, 'collection'], message: `there is no such collection; there are ${names.join(', ')}.${suggest(collection, names)}` }]
      return add === undefined || known.sample ? [] : [{ path: [index, 'add'], message: `records of "${collection}" can't be made up; those of ${collections.filter(({ sample }) => sample).map(({ name }) => name).join(', ')} can` }]
    }),
  reach: (specs) => specs.flatMap(({ collection }) => (ofBoth.includes(collection) ? ['plants', 'apps'] : [collection === 'plants' ? 'plants' : 'apps'])),
  create: (specs, activation) =>
    specs.map((spec, index) => {
      const id = `records.${index}`
      const view = activation.lasting(id, () => new View())
      return {
        ...createTrigger(spec, id, activation, 'on everything'),
        collection: (exchange, definition) => (definition.name === spec.collection ? view.of(exchange, definition, spec, activation) : undefined),
      }
    }),
})

/** The collections that both areas look at. */
const ofBoth = ['accounts', 'keys']

/** The records that requests see. Those that are made up for an account are made when its first request looks. */
class View {
  #records: Records<never> | undefined
  #owners: readonly string[] = []
  #made = new Set<string>()

  of<T extends object>({ world, caller }: Exchange, definition: CollectionDefinition<T>, { keep, add = 0 }: z.infer<typeof spec>, { now }: Activation): Records<T> {
    if (!this.#records) {
      const kept = keep === 'none' ? [] : world.collection(definition).all()
      this.#owners = world.collection(accounts).all().map(({ id }) => id)
      this.#records = new Records(definition, createIndex(definition, kept, { isValid: true })) as unknown as Records<never>
    }
    const records = this.#records as unknown as Records<T>
    const waiting = caller ? [caller.account.id] : this.#owners
    if (add > 0) for (const owner of waiting) if (!this.#made.has(owner)) records.include(this.#makeUp(records, owner, add, now))
    return records
  }

  get bytes(): number {
    return 200 + (this.#records?.bytes ?? 0)
  }

  clone(): View {
    const copy = new View()
    if (this.#records) copy.#records = new Records(this.#records.definition, this.#records.share())
    copy.#owners = this.#owners
    copy.#made = new Set(this.#made)
    return copy
  }

  /** So many records of an owner, none with a key that is taken or that another owner's will have. */
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
