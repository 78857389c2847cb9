import { toCanonicalJson, toJson } from '../core/http/json.ts'
import { readJson, toBodyText } from './format.ts'
import type { CaseReply } from './generated/case.ts'

/** A difference between a reply and the one in the case. */
export interface ReplyDifference {
  /** `status`, `headers.Retry-After`, `body.data.0.name` */
  readonly field: string
  /** As text; absent if the case has no such part. */
  readonly expected?: string | undefined
  /** As text; absent if the reply has no such part. */
  readonly actual?: string | undefined
}

/**
 * Finds the differences of a reply from the expected one. @param isExact whether the expected reply is complete; otherwise only
 * the parts that it has are compared, and a body only by its values.
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
  const hasFingerprint = /fp_[0-9a-f]{12}/.test(toBodyText(expected) ?? '')
  const ignored = hasFingerprint ? ['content-length', ...ignoredHeaders] : ignoredHeaders
  const [sent, got] = [toHeaders(expected), toHeaders(actual)]
  for (const key of new Set([...sent.keys(), ...(isExact ? got.keys() : [])])) {
    const [before, after] = [sent.get(key), got.get(key)]
    if (before?.value === after?.value || ignored.includes(key)) continue
    yield { field: `headers.${(before ?? after)!.name}`, expected: before?.value, actual: after?.value }
  }
  const hasBody = [expected.body, expected.text, expected.bytes].some((part) => part !== undefined)
  const [one, other] = [toBodyText(expected), toBodyText(actual)]
  if (one === other || !(isExact || hasBody)) return
  const [before, after] = [readJson(one), readJson(other)]
  if (before === undefined || after === undefined) return yield { field: 'body', expected: one, actual: other }
  const found = findValueDifference(before.value, after.value, 'body')
  if (found) yield found
  else if (isExact) yield { field: 'body, as text', expected: one, actual: other }
}

function toHeaders({ headers = {} }: CaseReply) {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { name, value: String(value) }]))
}

function findValueDifference(one: unknown, other: unknown, field: string): ReplyDifference | undefined {
  if (one === other || toCanonicalJson(one ?? null) === toCanonicalJson(other ?? null)) {
    if ((one === undefined) === (other === undefined)) return undefined
  }
  if (hasFields(one) && hasFields(other) && Array.isArray(one) === Array.isArray(other))
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const found = findValueDifference(one[name], other[name], `${field}.${name}`)
      if (found) return found
    }
  return { field, expected: show(one), actual: show(other) }
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

function show(value: unknown): string | undefined {
  return value === undefined ? undefined : toJson(value)
}
