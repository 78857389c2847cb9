/** The ways in which a value can be wrong. */
export const malformations = ['missing', 'null', 'wrong-type', 'empty', 'huge', 'extra'] as const

export type Malformation = (typeof malformations)[number]

/** Stands for a value that is to be left out. */
export const leftOut = Symbol('left out')

const hugeLength = 100_000

/** The value that is wrong in the way asked for; `leftOut` for `missing`. */
export function malformed(value: unknown, kind: Malformation): unknown {
  switch (kind) {
    case 'missing':
      return leftOut
    case 'null':
      return null
    case 'wrong-type':
      return ofAnotherType(value)
    case 'empty':
      return Array.isArray(value) ? [] : typeof value === 'object' && value !== null ? {} : ''
    case 'huge':
      return typeof value === 'number' || typeof value === 'bigint' ? 2n ** 64n : 'x'.repeat(hugeLength)
    case 'extra':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, unexpected_field: 'unexpected' } : value
  }
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === 'string' || value === undefined || value === null) return 42
  if (Array.isArray(value)) return {}
  return typeof value === 'object' ? [] : String(value)
}
