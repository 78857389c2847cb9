import type { Additions } from '../own/definitions.ts'
import type { AreaPart, Catalogue } from './make-catalogue.ts'

/** Returns the catalogue with what a user adds to its areas: the same one if that is nothing. */
export function toExtended(catalogue: Catalogue, parts: readonly AreaPart[], additions: Additions): Catalogue {
  const { operations = [], collections = [], plugins = [] } = additions
  const [first] = [...operations, ...collections, ...plugins]
  return first ? first.extend(parts, additions) : catalogue
}
