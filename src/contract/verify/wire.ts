import type { AreaName } from '../../areas/event-types.ts'
import { isObject } from '../../core/contract/options.ts'

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

/** A reply; header names are in lower case. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly encoding?: string | undefined
}

/** Sends a request, and follows no redirect. Rejects with an `Error` that has a `code` if no reply comes. */
export type Send = (asked: Asked, signal: AbortSignal) => Promise<Answered>

export interface ServerReply extends Answered {
  readonly area: AreaName
  readonly asked: Asked
  /** The path below the area's base, without the query. */
  readonly path: string
  readonly json: unknown
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number
}

export function isSuccess({ status }: Pick<ServerReply, 'status'>): boolean {
  return status >= 200 && status < 300
}

export function mediaType({ headers }: Pick<ServerReply, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
}

export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Whether a number of records may be a page size, because it is round. */
export function mayBePage(count: number): boolean {
  return count >= 10 && count % 5 === 0
}

export class Broken extends Error {
  readonly reply: ServerReply | undefined

  constructor(why: string, reply?: ServerReply) {
    super(why)
    this.reply = reply
  }
}

/** Thrown when a probe can't show what the server does. */
export class Inconclusive extends Error {
  readonly among: readonly string[] | undefined

  constructor(why: string, among?: readonly string[]) {
    super(why)
    this.among = among
  }
}

export class NoReply extends Error {}

export class Stopped extends Error {}

/** @throws Broken */
export function assertHolds(holds: boolean, reply: ServerReply | undefined, why: string): asserts holds {
  if (!holds) throw new Broken(why, reply)
}

/** @param more what follows the status of the reply: `, and the plant is gone` @throws Broken */
export function assertReply(holds: boolean, reply: ServerReply, more = ''): asserts holds {
  assertHolds(holds, reply, describeReply(reply) + more)
}

/** @throws Inconclusive */
export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new Inconclusive(why)
}

export function assertSucceeded(reply: ServerReply): void {
  assertSeen(isSuccess(reply), describeReply(reply))
}

export function describeReply({ asked, path, status }: ServerReply): string {
  const { search } = new URL(asked.url)
  return `${asked.method} ${path}${search} answered ${status}`
}
