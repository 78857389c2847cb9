import * as z from 'zod/mini'
import type { Contract } from '../../core/pipeline/contract.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { defineEffect } from '../effect-kind.ts'
import { ScenarioRecords } from '../scenario-records.ts'

const ofBoth = ['accounts', 'keys']

/**
 * `records`: changes which records requests see: none, or many more. Requests write to these records and to copies of related
 * collections; the world's own records do not change.
 */
export const recordsEffect = defineEffect({
  name: 'records',
  description: 'Changes which records requests see: none, or many more.',
  actsOn: 'everything',
  fields: {
    collection: z.string().check(z.describe('The collection: plants, apps and so on.')),
    keep: z.optional(z.literal('none')).check(z.describe('none: the collection is empty.')),
    // 5,000 records take a few hundredths of a second.
    add: z
      .optional(z.int().check(z.gte(1), z.lte(5_000)))
      .check(z.describe('How many records to add for each account.')),
  },
  rules: [
    {
      holds: ({ keep, add }) => keep !== undefined || add !== undefined,
      message: 'expected "keep: none" or "add: <number>"',
    },
  ],
  check({ collection, add }, { collections, missing }) {
    const names = collections.map(({ name }) => name)
    const known = collections.find(({ name }) => name === collection)
    if (!known)
      return [
        {
          path: ['collection'],
          message: `there is no such collection; expected one of ${names.join(', ')}.${suggest(collection, names)}${missing}`,
        },
      ]
    return add === undefined || known.sample
      ? []
      : [
          {
            path: ['add'],
            message: `records of "${collection}" can't be generated, only those of ${collections
              .filter(({ sample }) => sample)
              .map(({ name }) => name)
              .join(', ')} can`,
          },
        ]
  },
  reach: ({ collection }) =>
    ofBoth.includes(collection) ? ['plants', 'apps'] : [collection === 'plants' ? 'plants' : 'apps'],
  create({ collection, keep, add = 0 }, { activation, id }) {
    const view = activation.persistentMemory(id, () => new ScenarioRecords())
    const { now } = activation
    const following = followersOf(collection, activation.contract.collections)
    return {
      act: `${keep ? 'hid the' : `added ${add}`} ${collection}`,
      collection(exchange, definition) {
        if (definition.name === collection) return view.of(exchange, definition, { keep, add, now })
        return following.has(definition.name) ? view.copyOf(exchange, definition) : undefined
      },
    }
  },
})

function followersOf(name: string, collections: Contract['collections']): ReadonlySet<string> {
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
