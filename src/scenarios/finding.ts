/** A mistake in a member with the right shape, and its path below the member. */
export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
