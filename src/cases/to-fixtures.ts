import { bundledFixtures } from '../fixtures/bundled.ts'
import { quote, suggest } from '../core/text/messages.ts'
import type { Fixtures } from '../fixtures/check.ts'
import { asHeld } from '../fixtures/part.ts'
import type { Catalogue } from '../api/assembly/make-catalogue.ts'
import { allCollections, collectionNamed, type Collection } from '../api/inspect/collections.ts'
import type { CaseStart } from './types.ts'

export function toFixtures(
  differences: NonNullable<CaseStart['records']>,
  known: Pick<Catalogue, 'collections'>,
  isByHand = false,
): Fixtures {
  const merged: Record<string, unknown[]> = {}
  for (const document of bundledFixtures)
    for (const [name, values] of Object.entries(document)) merged[name] = [...(merged[name] ?? []), ...values]
  for (const [name, { replace, remove = [], put = [] }] of Object.entries(differences)) {
    const { key } = requireCollection(known, name)
    const keyOf = (value: unknown) => String(key(value as object))
    const gone = new Set(remove.map(String))
    const names = new Set((merged[name] ?? []).map(keyOf))
    const absent = isByHand ? [...gone].find((one) => !names.has(one)) : undefined
    if (absent !== undefined)
      throw new RangeError(
        `Failed to start with the case: there is no record ${quote(absent)} in "${name}" to remove.${suggest(absent, [...names])}`,
      )
    const values = replace ? [...replace] : (merged[name] ?? []).filter((value) => !gone.has(keyOf(value)))
    const places = new Map(values.map((value, index) => [keyOf(value), index]))
    for (const record of put) {
      const index = places.get(keyOf(record)) ?? values.length
      places.set(keyOf(record), index)
      values[index] = record
    }
    merged[name] = values
  }
  return asHeld(merged, ([name, place, ...rest]) => {
    const value = merged[name as string]?.[place as number]
    for (const [kind, given] of Object.entries(differences[name as string] ?? {})) {
      const index = given.indexOf(value as never)
      if (index >= 0) return ['start', 'records', name!, kind, index, ...rest]
    }
    return [name!, place!, ...rest]
  })
}

export function requireCollection(known: Pick<Catalogue, 'collections'>, name: string): Collection {
  const found = collectionNamed(known, name)
  if (found) return found
  const names = allCollections(known).map((one) => one.name)
  throw new RangeError(
    `There is no collection ${quote(name)}; expected one of ${names.join(', ')}.${suggest(name, names)}`,
  )
}
