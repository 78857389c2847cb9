/** Something that is wrong with a member of a scenario file though its shape is right, and where below the member. */
export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
