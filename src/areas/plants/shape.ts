import * as z from 'zod/mini'
import type { Assume } from '../../core/definitions/assumptions.ts'
import { plantAssumptions } from './assumptions.ts'
import { int64, plantSchema } from './schemas.ts'

export function plantShape(assume: Assume): z.ZodMiniType {
  const fields = {
    ...plantSchema.shape,
    ...(assume(plantAssumptions, 'plants.body.includes-id') === 'yes' && { id: int64 }),
  }
  if (assume(plantAssumptions, 'plants.create.unknown-fields') === 'keep') return z.looseObject(fields)
  return 'id' in fields ? z.object(fields) : plantSchema
}
