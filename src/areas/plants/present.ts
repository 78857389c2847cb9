import type { Exchange } from '../../core/pipeline/exchange.ts'
import { plantAssumptions } from './assumptions.ts'
import type { Plant } from './schemas.ts'

interface Presenter {
  readonly includesId: boolean
  readonly present: (plant: Readonly<Plant>) => Record<string, unknown>
}

export function presenter(exchange: Exchange): Presenter {
  const includesId = exchange.assume(plantAssumptions, 'plants.body.includes-id') === 'yes'
  return {
    includesId,
    present({ id, name, tag, extra }) {
      const shown: Record<string, unknown> = tag === undefined ? { name } : { name, tag }
      if (includesId) shown['id'] = id
      return extra === undefined ? shown : { ...extra, ...shown }
    },
  }
}
