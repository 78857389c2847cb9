import { toJson } from '../core/http/json.ts'
import type { Part } from './answer.ts'

/** What making a small object costs besides its text, as bytes of text. */
const usualWork = 200

/** A list as JSON text in parts, each item made as it is sent. @param after what stands behind the list: `,"total":3`. */
export function* toListParts<T>(
  items: Iterable<T>,
  show: (item: T) => unknown,
  after = '',
  work = usualWork,
): Generator<Part> {
  let separator = '{"data":['
  for (const item of items) {
    const text = toJson(show(item))
    yield [separator + text, text.length + work]
    separator = ','
  }
  yield [(separator === ',' ? '' : separator) + ']' + after + '}', 0]
}
