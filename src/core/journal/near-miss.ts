/** An operation that is close to the request, and what differs. */
export interface NearMiss {
  readonly operation: string
  readonly method: string
  /** From the service's root. */
  readonly path: string
  /** `method`: the path has other methods; `path`: the path is another one. */
  readonly differs: 'method' | 'path'
}
