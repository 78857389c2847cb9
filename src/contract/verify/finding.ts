import type { ServerReply } from './wire.ts'

export interface InconclusiveResult {
  readonly outcome: 'unseen'
  readonly why: string
  readonly among?: readonly string[] | undefined
  readonly noReply?: boolean | undefined
}

export type RuleVerdict =
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'broken'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveResult

export type ProbeFinding =
  | { readonly outcome: 'value'; readonly value: string; readonly from: string }
  | { readonly outcome: 'unknown'; readonly why: string; readonly reply?: ServerReply | undefined }
  | InconclusiveResult

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

export function assertHolds(holds: boolean, why: string, reply?: ServerReply): asserts holds {
  if (!holds) throw new Broken(why, reply)
}

export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new Inconclusive(why)
}

export function describeReply({ asked, path, status }: ServerReply): string {
  const { search } = new URL(asked.url)
  return `${asked.method} ${path}${search} answered ${status}`
}
