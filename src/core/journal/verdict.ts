/** What an effect of a scenario did with a request. */
export interface Verdict {
  readonly scenario: string
  /** The effect's id: `fault.0` is the first fault. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}

/** The stored verdicts of all effects on a request. They are formatted when they are read. */
export interface KeptVerdicts {
  readonly size: number
  /** The number of effects that changed something so far. */
  readonly fired: number
  /** Returns the scenarios that changed something, without repeats. */
  acted(): string[]
  /** Returns what was done by each effect that changed something: `delay`, `extra`, `quota`. */
  actedKinds(): string[]
  /** Returns the verdicts as text, in order of activation. */
  read(): Verdict[]
}
