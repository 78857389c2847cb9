/** What an effect decided about a request, and whether it then changed anything. */
export interface Verdict {
  readonly scenario: string
  /** Which one of the scenario's effects: `fault.0`. */
  readonly effect: string
  fired: boolean
  /** Why it fired or did not. */
  why: string
}
