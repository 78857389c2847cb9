import * as z from 'zod/mini'
import type { Endpoint } from '../../core/pipeline/endpoint.ts'
import { appAssumptions } from './assumptions.ts'

export function listSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    /** The query parameter `cursor` of the next page; `null` on the last page. */
    next_cursor: z.nullable(z.string()),
  })
}

export function listOf(item: z.ZodMiniType): Pick<Endpoint, 'result' | 'resultUnder'> {
  const result = listSchema(item)
  return {
    result,
    resultUnder: (assume) => (assume(appAssumptions, 'apps.list.shape') === 'array' ? z.array(item) : result),
  }
}
