import { toCanonicalJson, toJson } from '../core/http/json.ts'
import { writesItself } from '../core/text/values.ts'
import { readJson, toBodyText } from './content.ts'
import { fingerprintPattern } from './format.ts'
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
 * Finds how a reply differs from the expected one of a case.
 * @param isExact whether the expected reply is complete; otherwise only the parts that it has are
 * compared
 */
export function* findReplyDifferences(
  expected: CaseReply,
  actual: CaseReply,
  isExact: boolean,
  ignoredHeaders: readonly string[],
): Generator<ReplyDifference> {
  if (expected.status !== actual.status)
    yield {
      field: 'status',
      expected: String(expected.status),
      actual: String(actual.status),
    }
  // A fingerprint differs in length from the secret that it stands for.
  const hasFingerprint = (toBodyText(expected) ?? '').search(fingerprintPattern) >= 0
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
  expectedLines: HeaderLines,
  actualLines: HeaderLines,
  isExact: boolean,
  ignored: readonly string[],
): Generator<ReplyDifference> {
  // A field has the case's spelling of the name, or the reply's where the case lacks the header.
  const compared = isExact ? new Map([...actualLines, ...expectedLines]) : expectedLines
  for (const [key, { name }] of compared) {
    const expected = expectedLines.get(key)?.value
    const actual = actualLines.get(key)?.value
    if (expected !== actual && !ignored.includes(key))
      yield {
        field: `headers.${name}`,
        expected,
        actual,
      }
  }
}

function* findBodyDifferences(
  expected: string | undefined,
  actual: string | undefined,
  isExact: boolean,
): Generator<ReplyDifference> {
  if (expected === actual) return
  const [expectedJson, actualJson] = [readJson(expected), readJson(actual)]
  if (expectedJson === undefined || actualJson === undefined)
    return yield {
      field: 'body',
      expected,
      actual,
    }
  const difference = findValueDifference(expectedJson.value, actualJson.value, 'body')
  if (difference) yield difference
  // The same JSON was written in another way, such as with spaces.
  else if (isExact)
    yield {
      field: 'body, as text',
      expected,
      actual,
    }
}

function toComparableHeaders({ headers = {} }: CaseReply): HeaderLines {
  return new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      { name, value: [value].flat().join(', ') },
    ]),
  )
}

/** Finds the first difference of two values, as deep inside them as it can name it. */
function findValueDifference(
  expected: unknown,
  actual: unknown,
  field: string,
): ReplyDifference | undefined {
  if (expected === actual) return undefined
  const isAbsent = expected === undefined || actual === undefined
  if (!isAbsent && toCanonicalJson(expected) === toCanonicalJson(actual)) return undefined
  if (hasFields(expected) && hasFields(actual) && Array.isArray(expected) === Array.isArray(actual))
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const inside = findValueDifference(expected[name], actual[name], `${field}.${name}`)
      if (inside) return inside
    }
  return {
    field,
    expected: toJsonOrNothing(expected),
    actual: toJsonOrNothing(actual),
  }
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !writesItself(value)
}

function toJsonOrNothing(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return toJson(value)
}
