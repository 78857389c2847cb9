export interface Finding {
  readonly path: readonly PropertyKey[]
  readonly message: string
}
