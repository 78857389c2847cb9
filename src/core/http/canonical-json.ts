import { Fraction } from './exact-number.ts'

/** Serializes parsed JSON so that equal values give the same text: the order of members does not matter, `1.0` is `1`, and integers are exact. */
export function toCanonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  // The closest double is an integer, but the value is not.
  if (value instanceof Fraction) return `${value.toJSON()}.x`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  const members = value as Readonly<Record<string, unknown>>
  return `{${Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonicalJson(members[name])}`)
    .join()}}`
}
