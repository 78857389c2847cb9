/** What an effect of a scenario did with a request. */
export interface Verdict {
  readonly scenario: string
  /** The effect's id: `fault.0` is the first fault. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}

/** What all effects decided about a request, as it is kept: put into words when somebody reads it. */
export interface KeptVerdicts {
  /** How many effects decided. */
  readonly size: number
  /** The scenarios that changed something, each once. */
  acted(): string[]
  /** In words, in the order of their activation. */
  read(): Verdict[]
}
