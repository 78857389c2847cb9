import { toJson } from '../http/json.ts'

/** What Vitest, Jest and Playwright compare with by themselves: `expect.objectContaining({ name: 'Fern' })`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/** What a header or a query parameter is to be: its text, `true` for any, `false` for none, or what compares by itself. */
export type ExpectedText = string | number | bigint | boolean | AsymmetricMatcher

/** Whether a value compares by itself. */
export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { asymmetricMatch?: unknown }).asymmetricMatch === 'function'
  )
}

/** The longest text of a value that a message shows. */
const longest = 300

/** Something that was expected, or that was there, for a message. */
export function showExpected(value: unknown, show: (text: string) => string = (text) => text): string {
  if (value === undefined) return 'nothing'
  const text =
    typeof value === 'string'
      ? JSON.stringify(show(value))
      : show(isAsymmetric(value) ? showMatcher(value) : (write(value) ?? String(value)))
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}

function write(value: unknown): string | undefined {
  return toJson(toShowable(value))
}

/** A copy with names in the place of what compares by itself. */
function toShowable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isAsymmetric(value)) return showMatcher(value)
  if (Array.isArray(value)) return value.map(toShowable)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toShowable(part)]))
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
