import { toJsonType } from './json-schema.ts'
import { extraField, malformed } from './malformed-value.ts'
import { valueAt } from '../core/definitions/value-at.ts'
import { changeAt, leftOut, Several } from './pointer.ts'
import type { ReplyField } from './reply-fields.ts'

export const malformKinds = [
  'missing',
  'null',
  'wrong-type',
  'empty',
  'huge',
  'extra',
  'bad-enum',
  'out-of-range',
  'bad-utf8',
  'duplicate',
] as const

export type MalformKind = (typeof malformKinds)[number]

/**
 * Returns a copy of a reply's body with a malformed value at `path`; the body itself if that is impossible. `extra` adds a field
 * to the object at the path, or to the parent of another value. `duplicate` repeats the item at the path, or the first item of
 * the array at the path. @param field the value in the contract, if the contract has it.
 */
export function malformAt(
  body: unknown,
  path: readonly string[],
  kind: Exclude<MalformKind, 'bad-utf8'>,
  field?: ReplyField,
): unknown {
  const holder = path.slice(0, -1)
  switch (kind) {
    case 'missing':
      return path.length === 0 ? body : changeAt(body, path, () => leftOut)
    case 'extra':
      return changeAt(body, toJsonType(valueAt(body, path)) === 'object' ? path : holder, withExtra)
    case 'duplicate': {
      if (Array.isArray(valueAt(body, path))) return malformAt(body, [...path, '0'], kind)
      return path.length > 0 && Array.isArray(valueAt(body, holder))
        ? changeAt(body, path, (item) => new Several([item, item]))
        : body
    }
    default:
      return changeAt(body, path, (value) => malformed(value, kind, field))
  }
}

function withExtra(value: unknown): unknown {
  return toJsonType(value) === 'object' ? { ...(value as object), [extraField]: 'unexpected' } : value
}
