import type { ExpectedText } from './expected.ts'

/** The requests to find, by what was sent; all conditions must hold. */
export interface RequestQuery {
  /** Upper or lower case. */
  method?: string | undefined
  /**
   * From the service's root, without the world: `/v1/apps/app_1`. `*` stands for a part of a segment, `**` for any
   * segments.
   */
  path?: string | undefined
  /** Headers by name, in any case. */
  headers?: Readonly<Record<string, ExpectedText>> | undefined
  /** Query parameters by name. One value of a repeated parameter is enough to match. */
  query?: Readonly<Record<string, ExpectedText>> | undefined
  /** What the JSON body contains. Lists must match item by item. A body that is not JSON is compared as text. */
  body?: unknown
  /** The key, as it was sent or as its fingerprint. */
  key?: string | undefined
  /** The id of the account that the key belongs to. */
  account?: string | undefined
}

/** The fields of a request query. */
export const requestParts = [
  'method',
  'path',
  'headers',
  'query',
  'body',
  'key',
  'account',
] as const satisfies readonly (keyof RequestQuery)[]
