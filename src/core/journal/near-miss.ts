/** An operation close to the request, and where it differs. */
export interface NearMiss {
  readonly operation: string
  readonly method: string
  /** The path from the service's root. */
  readonly path: string
  /** `method`: the path matches, the method does not. `path`: the path differs. */
  readonly differs: 'method' | 'path'
}
