import type { ServiceRequest } from '../http/request.ts'

export const violationRules = [
  'unknown-path',
  'unknown-method',
  'missing-key',
  'key-in-url',
  'misspelt-header',
  'invalid-header',
  'accept',
  'percent-encoding',
  'wrong-id',
  'unknown-query',
  'repeated-query',
  'invalid-query',
  'unexpected-body',
  'missing-body',
  'content-type',
  'content-encoding',
  'unknown-field',
  'invalid-body',
] as const

/** The name of a rule: `unknown-query`. */
export type ViolationRule = (typeof violationRules)[number]

/** One way in which a request breaks the contract. The reply does not matter. */
export interface Violation {
  readonly rule: ViolationRule
  /** One sentence: what is wrong, often with a suggestion. */
  readonly message: string
}

/** A violation, and the request that has it. */
export interface RequestViolation extends Violation {
  /** The id of the journal entry. */
  readonly entry: number
  /** `undefined` when no operation has the method and path. */
  readonly operation: string | undefined
  readonly method: string
  readonly url: string
}

interface EntryWithViolations {
  readonly id: number
  readonly operation?: string
  readonly request: {
    readonly method: string
    readonly url: string
  }
  readonly violations?: readonly Violation[]
}

/** @param ignore the rules that do not count */
export function violationsIn(
  { id, operation, request, violations = [] }: EntryWithViolations,
  ignore: readonly string[] = [],
): RequestViolation[] {
  const { method, url } = request
  const found = violations.filter(({ rule }) => !ignore.includes(rule))
  return found.map((violation) => ({
    ...violation,
    entry: id,
    operation,
    method,
    url,
  }))
}

export interface ValidatedRequest extends Pick<
  ServiceRequest,
  'method' | 'path' | 'search' | 'headers'
> {
  /** `not-kept` if there was a body that is not completely stored. */
  readonly body: Uint8Array | null | 'too-large' | 'not-kept'
  readonly assumptions: ReadonlyMap<string, string>
  /**
   * True if it succeeded, without help from a scenario. Rules for mistakes that the service refuses
   * are then skipped.
   */
  readonly hasSucceeded: boolean
  isSecret(text: string): boolean
}

/**
 * Checks a request against the contract. Reports only the first violations when there are very
 * many.
 */
export type RequestValidator = (request: ValidatedRequest) => readonly Violation[]
