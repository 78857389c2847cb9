/** A request as it leaves. */
export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** A reply as it came; names of headers are in small letters. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Why the body is no text in UTF-8, which JSON has to be. */
  readonly encoding?: string | undefined
}

/** Sends one request and follows no redirect. Rejects with an `Error` whose `code` says why, where no reply comes. */
export type Send = (asked: Asked, signal: AbortSignal) => Promise<Answered>

/** The two interfaces. */
export type AreaName = 'plants' | 'apps'

/** A reply and its request. */
export interface Reply extends Answered {
  readonly area: AreaName
  readonly asked: Asked
  /** Below the base of the area, without the query. */
  readonly path: string
  /** The body where it is JSON, its integers exact; `undefined` when it is none. */
  readonly json: unknown
  /** When it came, in milliseconds since 1970. */
  readonly at: number
}

/** Whether it tells of a success. */
export function isSuccess({ status }: Pick<Reply, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The Content-Type without its parameters. */
export function mediaType({ headers }: Pick<Reply, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
}

/** A member of a JSON object; `undefined` of anything else. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** Whether so many records may be what a server lists at most: that is a round number. */
export function mayBePage(count: number): boolean {
  return count >= 10 && count % 5 === 0
}
