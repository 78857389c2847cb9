/** A mistake in a scenario: its path and a message for the author. */
export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
