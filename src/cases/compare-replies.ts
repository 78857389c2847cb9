import { toCanonicalJson, toJson } from '../core/http/json.ts'
import { writesItself } from '../core/text/values.ts'
import { fingerprints, readJson, toBodyText } from './format.ts'
import type { CaseReply } from './generated/case.ts'

/** A difference between a reply and the one in the case. */
export interface ReplyDifference {
  /** `status`, `headers.Retry-After`, `body.data.0.name` */
  readonly field: string
  /** The part as text; absent if the case has none. */
  readonly expected?: string | undefined
  /** The part as text; absent if the reply has none. */
  readonly actual?: string | undefined
}

/**
 * @param isExact whether the expected reply is complete; otherwise only the parts that it has are
 * compared
 */
export function* findReplyDifferences(
  expected: CaseReply,
  actual: CaseReply,
  isExact: boolean,
  ignoredHeaders: readonly string[] = [],
): Generator<ReplyDifference> {
  if (expected.status !== actual.status)
    yield { field: 'status', expected: String(expected.status), actual: String(actual.status) }
  // A fingerprint differs in length from the secret that it stands for.
  const hasFingerprint = (toBodyText(expected) ?? '').search(fingerprints) >= 0
  const ignored = hasFingerprint ? ['content-length', ...ignoredHeaders] : ignoredHeaders
  yield* findHeaderDifferences(
    toComparableHeaders(expected),
    toComparableHeaders(actual),
    isExact,
    ignored,
  )
  const { body, text, bytes } = expected
  if (isExact || (body ?? text ?? bytes) !== undefined)
    yield* findBodyDifferences(toBodyText(expected), toBodyText(actual), isExact)
}

interface HeaderLine {
  readonly name: string
  readonly value: string
}

type HeaderLines = ReadonlyMap<string, HeaderLine>

function* findHeaderDifferences(
  sent: HeaderLines,
  got: HeaderLines,
  isExact: boolean,
  ignored: readonly string[],
): Generator<ReplyDifference> {
  const named = isExact ? new Map([...got, ...sent]) : sent
  for (const [key, { name }] of named) {
    const expected = sent.get(key)?.value
    const actual = got.get(key)?.value
    if (expected !== actual && !ignored.includes(key))
      yield { field: `headers.${name}`, expected, actual }
  }
}

function* findBodyDifferences(
  expected: string | undefined,
  actual: string | undefined,
  isExact: boolean,
): Generator<ReplyDifference> {
  if (expected === actual) return
  const [before, after] = [readJson(expected), readJson(actual)]
  if (before === undefined || after === undefined) return yield { field: 'body', expected, actual }
  const found = findValueDifference(before.value, after.value, 'body')
  if (found) yield found
  else if (isExact) yield { field: 'body, as text', expected, actual }
}

function toComparableHeaders({ headers = {} }: CaseReply): HeaderLines {
  return new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      { name, value: [value].flat().join(', ') },
    ]),
  )
}

function findValueDifference(
  one: unknown,
  other: unknown,
  field: string,
): ReplyDifference | undefined {
  const isAbsent = one === undefined || other === undefined
  if (one === other) return undefined
  if (!isAbsent && toCanonicalJson(one) === toCanonicalJson(other)) return undefined
  if (hasFields(one) && hasFields(other) && Array.isArray(one) === Array.isArray(other))
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const found = findValueDifference(one[name], other[name], `${field}.${name}`)
      if (found) return found
    }
  return { field, expected: toJsonOrNothing(one), actual: toJsonOrNothing(other) }
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !writesItself(value)
}

function toJsonOrNothing(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return toJson(value)
}
