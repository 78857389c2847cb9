import type { ExpectedText } from './expected.ts'

/** The requests to find, by what was sent; all conditions must hold. */
export interface RequestQuery {
  /** The method, in upper or lower case. */
  method?: string | undefined
  /**
   * The path from the root of the service, without the world: `/v1/apps`. Patterns work: `*` matches any characters except `/`,
   * a segment such as `{app_id}` or `:id` matches one segment, and `**` any number of segments: `/v1/apps/*`.
   */
  path?: string | undefined
  /** Headers by name, in any case. Expect a value, `true` for any value, `false` for no such header, or a matcher such as `expect.stringContaining('x')`. */
  headers?: Readonly<Record<string, ExpectedText>> | undefined
  /** Query parameters by name, with the same values as `headers`. */
  query?: Readonly<Record<string, ExpectedText>> | undefined
  /**
   * What the JSON body contains. Objects may have more fields than you give; lists must match item by item. `undefined` matches
   * an absent field. 64-bit integers are compared exactly, and matchers such as `expect.any(String)` can stand anywhere. A body
   * that is not JSON is compared as text.
   */
  body?: unknown
  /** The key as the client sent it, without `@world`, or its fingerprint. */
  key?: string | undefined
  /** The id of the account that the key belongs to: `acct_pro`. Expired keys and keys without the needed scope count too. */
  account?: string | undefined
}

export const requestParts = [
  'method',
  'path',
  'headers',
  'query',
  'body',
  'key',
  'account',
] as const satisfies readonly (keyof RequestQuery)[]
