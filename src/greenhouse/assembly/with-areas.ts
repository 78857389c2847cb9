import { areaNames, type AreaName } from '../../areas/area-names.ts'
import { quote } from '../../core/definitions/quote.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import type { Catalogue } from './make-catalogue.ts'
import { missingAreasHint } from './missing-areas.ts'

const known = new WeakMap<Catalogue, Map<string, Catalogue>>()

/**
 * Returns a catalogue that serves only the named built-in areas, and all areas of plug-ins. Its worlds keep the data of both, so
 * fixtures and scenarios fit unchanged. @throws RangeError for an unknown area, or none
 */
export function withAreas(catalogue: Catalogue, names: readonly AreaName[] | undefined): Catalogue {
  if (!names) return catalogue
  if (names.length === 0) throw new RangeError('Failed to serve no area: expected "plants", "apps" or both.')
  for (const name of names)
    if (!areaNames.includes(name))
      throw new RangeError(
        `Failed to serve the area ${quote(String(name))}: expected "plants" or "apps".${suggest(String(name), areaNames)}`,
      )
  const key = areaNames.filter((name) => names.includes(name)).join()
  const narrowed = known.get(catalogue) ?? new Map<string, Catalogue>()
  known.set(catalogue, narrowed)
  let found = narrowed.get(key)
  if (!found) narrowed.set(key, (found = narrow(catalogue, names)))
  return found
}

function narrow(catalogue: Catalogue, names: readonly string[]): Catalogue {
  const isServed = ({ name }: { readonly name: string }) =>
    names.includes(name) || !(areaNames as readonly string[]).includes(name)
  const areas = catalogue.contract.areas.filter(isServed)
  return {
    ...catalogue,
    areas: catalogue.areas.filter(isServed),
    contract: {
      ...catalogue.contract,
      areas,
      operations: areas.flatMap(({ operations }) => operations),
      missing: missingAreasHint({ areas }),
    },
  }
}
