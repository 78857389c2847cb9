/** Something that happened in a world, in the life of one account. */
export interface WorldEvent {
  /** `<resource>.<what happened>`; the areas say which there are. */
  readonly type: string
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  /** The account that it happened to. */
  readonly account: string
  /** The app that it happened to, if it was one. */
  readonly app: string | null
  readonly data: Readonly<Record<string, unknown>>
}
