import * as z from 'zod/mini'
import type { Assume } from '../../core/contract/assumptions.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { plantAssumptions } from './assumptions.ts'
import { int64, type Plant, plantSchema } from './schemas.ts'

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

export function plantShape(assume: Assume): z.ZodMiniType {
  const fields = {
    ...plantSchema.shape,
    ...(assume(plantAssumptions, 'plants.body.includes-id') === 'yes' && { id: int64 }),
  }
  if (assume(plantAssumptions, 'plants.create.unknown-fields') === 'keep') return z.looseObject(fields)
  return 'id' in fields ? z.object(fields) : plantSchema
}
