import { toJson } from '../core/http/json.ts'
import type { Part } from './answer.ts'
import { check } from './body.ts'
import { limitQuerySchema } from './schemas.ts'

/** The largest number of items in a list with a limit. */
export const maxListed = 1_000

/** Returns the limit of a query, 100 by default. @throws ControlError */
export function readLimit(query: unknown): number {
  const { limit = '100' } = check(limitQuerySchema, query)
  return Math.min(maxListed, Number(limit))
}

/** The extra work of showing a small object, as if it were this many bytes of text. */
const defaultWork = 200

/**
 * Yields a list as JSON text, and converts each item only when it is sent. @param after the text after the list:
 * `,"total":3`.
 */
export function* toListParts<T>(
  items: Iterable<T>,
  show: (item: T) => unknown,
  after = '',
  work = defaultWork,
): Generator<Part> {
  let separator = '{"data":['
  for (const item of items) {
    const text = toJson(show(item))
    yield [separator + text, text.length + work]
    separator = ','
  }
  yield [(separator === ',' ? '' : separator) + ']' + after + '}', 0]
}
