import { shorten } from '../definitions/quote.ts'

/** A matcher of Vitest, Jest or Playwright: `expect.objectContaining({ name: 'Fern' })`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/** The expected value of a header or query parameter: its text, `true` for any value, `false` for absent, or a matcher. */
export type ExpectedText = string | number | bigint | boolean | AsymmetricMatcher

export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function'
  )
}

/** The longest text of a value that a message shows. */
const longest = 300

/** Formats an expected or actual value for a message. */
export function showExpected(value: unknown, show: (text: string) => string = (text) => text): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? JSON.stringify(show(value)) : show(write(value))
  return shorten(text, longest)
}

/** Serializes as JSON, with the names of asymmetric matchers. */
function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  if (isAsymmetric(value)) return showMatcher(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const fields = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${write(part)}`)
  return `{${fields.join(',')}}`
}

/** `Any<String>`, `ObjectContaining {"name":"Fern"}` */
function showMatcher(matcher: AsymmetricMatcher): string {
  const { toAsymmetricMatcher, sample } = matcher as { toAsymmetricMatcher?: unknown; sample?: unknown }
  try {
    if (typeof toAsymmetricMatcher === 'function') return String(toAsymmetricMatcher.call(matcher))
    const name = String(matcher)
    if (sample === undefined || typeof sample === 'function') return name
    return `${name} ${sample instanceof RegExp ? String(sample) : write(sample)}`
  } catch {
    return 'an asymmetric matcher'
  }
}
