import type { AreaName } from '../../areas/event-types.ts'
import { parseJson } from '../../core/http/json.ts'
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

/** Returns the area that a path, or the id of a row, belongs to. Ids of both areas, such as `auth.scheme-case`, are asked of app management. */
export function areaOf(name: string): AreaName {
  return /^\/?plants\b/.test(name) ? 'plants' : 'apps'
}

/** A reply, and the request that it answers. As text, it is `GET /plants answered 200`. */
export class ServerReply implements Answered {
  /** The path below the area's base, without the query. */
  readonly path: string
  readonly asked: Asked
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly encoding: string | undefined
  /** `undefined` if the body is not JSON. */
  readonly json: unknown
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number

  constructor(path: string, asked: Asked, { status, headers, text, encoding }: Answered, at: number) {
    this.path = path
    this.asked = asked
    this.status = status
    this.headers = headers
    this.text = text
    this.encoding = encoding
    this.json = toValue(text)
    this.at = at
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get mediaType(): string {
    return (this.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  }

  /** The items of a list, which may be bare or in `data`; `undefined` if it is none. */
  get items(): readonly unknown[] | undefined {
    const data = Array.isArray(this.json) ? this.json : member(this.json, 'data')
    return Array.isArray(data) ? data : undefined
  }

  get errorCode(): string | undefined {
    const code = member(member(this.json, 'error'), 'code')
    return typeof code === 'string' ? code : undefined
  }

  toString(): string {
    return `${this.asked.method} ${this.path}${new URL(this.asked.url).search} answered ${this.status}`
  }

  /** @param more what follows the text of the reply: `, and the plant is gone` @throws Broken */
  assert(holds: boolean, more = ''): void {
    assertHolds(holds, this, `${this}${more}`)
  }

  assertSucceeded(): void {
    assertSeen(this.isSuccess, `${this}`)
  }
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

export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new Inconclusive(why)
}

function toValue(text: string): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
