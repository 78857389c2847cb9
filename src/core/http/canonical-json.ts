import { Fraction } from './exact-number.ts'

/**
 * A value of parsed JSON as a text that is the same for equal values: the order of members counts for nothing, `1.0` is `1`,
 * and integers are compared to the last digit.
 */
export function toCanonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  // The double closest to it is an integer, which it is not.
  if (value instanceof Fraction) return `${value.toJSON()}.x`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  const members = value as Readonly<Record<string, unknown>>
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonicalJson(members[name])}`)
    .join()}}`
}
