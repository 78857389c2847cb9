import * as z from 'zod/mini'

/** The shape of a list: a page, newest first, and where the next one is. */
export function listSchema<T extends z.ZodMiniType>(item: T) {
  return z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.nullable(z.string()) })
}
