import * as z from 'zod/mini'
import { accounts } from '../../core/accounts.ts'
import type { CollectionDefinition, RecordKey } from '../../core/collection.ts'
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
    /** With so many more of each account. */
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

/** The records that requests see, made when the first one looks. */
class View {
  #records: Records<never> | undefined

  of<T extends object>({ world }: Exchange, definition: CollectionDefinition<T>, { keep, add = 0 }: z.infer<typeof spec>, { now }: Activation): Records<T> {
    if (!this.#records) {
      const kept = keep === 'none' ? [] : world.collection(definition).all()
      const owners = world.collection(accounts).all().map(({ id }) => id)
      const made = makeUp(definition, owners, add, new Set(kept.map(definition.key)), now)
      this.#records = new Records(definition, createIndex(definition, [...kept, ...made], { isValid: true })) as unknown as Records<never>
    }
    return this.#records as unknown as Records<T>
  }

  get bytes(): number {
    return 200 + (this.#records?.bytes ?? 0)
  }

  clone(): View {
    const copy = new View()
    if (this.#records) copy.#records = new Records(this.#records.definition, this.#records.share())
    return copy
  }
}

/** So many records of each owner, none with a key that is taken. */
function makeUp<T extends object>({ sample, key }: CollectionDefinition<T>, owners: readonly string[], count: number, taken: ReadonlySet<RecordKey>, now: number): T[] {
  const made: T[] = []
  for (let place = 0; made.length < count * owners.length; place++) {
    const record = sample!(place, owners[made.length % owners.length]!, now)
    if (!taken.has(key(record))) made.push(record)
  }
  return made
}
