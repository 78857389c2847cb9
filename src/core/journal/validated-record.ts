import type { SecretFinder } from '../secrets/secret-finder.ts'
import { bodyCap, type JournalRecord } from './journal-record.ts'
import { withoutWorld } from '../secrets/secret-spans.ts'
import type { RequestValidator, Violation } from './violation.ts'

const noViolations: readonly Violation[] = []

/**
 * Returns the violations of a stored request. Missing parts are not judged: of a cut body, only that there is one. A
 * request without its headers or its whole URL is not judged at all.
 */
export function validateRecord(
  record: JournalRecord,
  validator: RequestValidator,
  known?: readonly SecretFinder[],
): readonly Violation[] {
  const { method, path, search, headers, inForce, omitted, journal } = record
  if (omitted?.includes('request.headers')) return noViolations
  let finders = known
  return validator({
    method,
    path,
    search,
    headers,
    body: toCheckedBody(record),
    assumptions: inForce,
    hasSucceeded: hasSucceeded(record),
    isSecret(text) {
      const secret = withoutWorld(text)
      for (const finder of (finders ??= journal.secretFinders())) if (finder.has(secret)) return true
      return false
    },
  })
}

/** Whether the request succeeded while no scenario was active, so that its operation must have accepted it. */
export function hasSucceeded({ reply, verdicts, fired }: JournalRecord): boolean {
  return reply.status >= 200 && reply.status < 300 && verdicts === undefined && fired === undefined
}

function toCheckedBody({ body, isTooLarge, omitted }: JournalRecord) {
  if (isTooLarge) return 'too-large'
  if (omitted?.includes('request.body')) return 'not-kept'
  if (body === undefined || body.length === 0) return null
  return body.length > bodyCap ? 'not-kept' : body
}

/** @throws Error without a judge: an empty list would read as "no violations". */
export function assertValidator(judge: unknown): void {
  if (judge === undefined)
    throw new Error(
      "Failed to look for violations: this Greenhouse does not check requests against the contract. Import { judge } from 'greenhouse-mock/judge' and pass it: createGreenhouse({ judge }).",
    )
}
