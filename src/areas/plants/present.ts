import type { Exchange } from '../../core/exchange.ts'
import { plantAssumptions } from './assumptions.ts'
import type { Plant } from './schemas.ts'

/** Gives what turns a stored plant into the one that a reply carries: name and tag (stated), more where an assumption says so. */
export function presenter(exchange: Exchange): (plant: Readonly<Plant>) => Record<string, unknown> {
  const includesId = exchange.assume(plantAssumptions, 'plants.body.includes-id') === 'yes'
  return ({ id, name, tag, extra }) => {
    const shown: Record<string, unknown> = tag === undefined ? { name } : { name, tag }
    if (includesId) shown['id'] = id
    return extra === undefined ? shown : { ...extra, ...shown }
  }
}
