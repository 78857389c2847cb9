import { brief, quote } from './quote.ts'

export function showValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'function':
      return 'a function'
    case 'object':
      return showObject(value)
    default:
      return brief(String(value))
  }
}

function showObject(value: object | null): string {
  try {
    return brief(
      JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? 'an object',
    )
  } catch {
    return Array.isArray(value) ? 'a list' : 'an object'
  }
}
