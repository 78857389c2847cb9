import { toJson } from '../core/http/json.ts'
import type { Chunk } from './answer.ts'
import { check } from './body.ts'
import { limitQuerySchema } from './schemas.ts'

export const maxListed = 1_000

export function readLimit(query: unknown): number {
  const { limit = '100' } = check(limitQuerySchema, query)
  return Math.min(maxListed, Number(limit))
}

/** The extra work of showing a small object, as if it were this many bytes of text. */
const defaultWork = 200

export function* toListChunks<T>(
  items: Iterable<T>,
  show: (item: T) => unknown,
  after = '',
  work = defaultWork,
): Generator<Chunk> {
  let separator = '{"data":['
  for (const item of items) {
    const text = toJson(show(item))
    yield [separator + text, text.length + work]
    separator = ','
  }
  yield [(separator === ',' ? '' : separator) + ']' + after + '}', 0]
}
