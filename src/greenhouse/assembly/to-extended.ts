import type { Additions } from '../own/definitions.ts'
import type { AreaPart, Catalogue } from './make-catalogue.ts'

export function toExtended(catalogue: Catalogue, parts: readonly AreaPart[], additions: Additions): Catalogue {
  const { operations = [], collections = [], plugins = [] } = additions
  const [first] = [...operations, ...collections, ...plugins]
  return first ? first.extend(parts, additions) : catalogue
}
