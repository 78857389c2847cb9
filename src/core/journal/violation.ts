/** What can be wrong with a request, by the name of the rule that finds it. */
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

/** What is judged of a request. */
export interface JudgedRequest {
  readonly method: string
  /** From the service's root, percent-encoded as it was sent. */
  readonly path: string
  readonly search: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** `not-kept` where there was one and not all of it is known. */
  readonly body: Uint8Array | null | 'too-large' | 'not-kept'
  /** The values of the assumptions in force as it came, by id. */
  readonly assumptions: ReadonlyMap<string, string>
  /** Whether it succeeded and no scenario had a hand in that: what the service refuses is not in it. */
  readonly hasSucceeded: boolean
  /** Whether a text is a key or another secret that the world knows. */
  isSecret(text: string): boolean
}

/** Checks a request against the contract. Reports only the first violations when there are very many. */
export type Judge = (request: JudgedRequest) => readonly Violation[]
