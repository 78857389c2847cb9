import { valueAt } from '../core/text/values.ts'

/** Returns the items of a list, which may be bare or in `data`; nothing for another reply. */
export function itemsOf(reply: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(reply) ? reply : valueAt(reply, ['data'])
  return Array.isArray(list) ? list : undefined
}
