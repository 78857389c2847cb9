/** What an effect of a scenario decided about a request. */
export interface Verdict {
  readonly scenario: string
  /** The effect's id: `fault.0` is the first fault. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}
