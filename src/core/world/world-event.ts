import type { Fields } from '../text/values.ts'

/** An event in a world, about one account. */
export interface WorldEvent {
  /** `<resource>.<verb>`; the areas declare the types. */
  readonly type: string
  /** When, in milliseconds since 1970 on the world's clock. */
  readonly at: number
  /** The account that it is about. */
  readonly account: string
  /** The app that it is about, if any. */
  readonly app: string | null
  readonly data: Fields
}
