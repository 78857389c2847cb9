import * as z from 'zod/mini'
import type { Endpoint } from '../../core/pipeline/endpoint.ts'
import { appAssumptions } from './assumptions.ts'

/** The shape of a list: a page, newest first, and where the next one is. */
export function listSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.nullable(z.string()) })
}

/** What an operation that lists `item` gives, as `apps.list.shape` has it. */
export function listOf(item: z.ZodMiniType): Pick<Endpoint, 'result' | 'resultUnder'> {
  const result = listSchema(item)
  return {
    result,
    resultUnder: (assume) => (assume(appAssumptions, 'apps.list.shape') === 'array' ? z.array(item) : result),
  }
}
