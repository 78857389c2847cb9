import type { ServerReply } from './wire.ts'

/** An unobserved rule or gap, and why. */
export interface UnseenResult {
  readonly outcome: 'unseen'
  readonly why: string
  /** The possible values of the assumption. */
  readonly among?: readonly string[] | undefined
  /** Whether the reason is a missing reply. */
  readonly noReply?: boolean | undefined
}

export type RuleVerdict =
  | { readonly outcome: 'kept' }
  | { readonly outcome: 'broken'; readonly why: string; readonly reply?: ServerReply | undefined }
  | UnseenResult

/** The result of examining a gap: a value of the assumption, a behaviour that matches no value, or nothing. */
export type GapFinding =
  | { readonly outcome: 'value'; readonly value: string; readonly from: string }
  | { readonly outcome: 'unknown'; readonly why: string; readonly reply?: ServerReply | undefined }
  | UnseenResult

/** Thrown when the server breaks a rule. */
export class Broken extends Error {
  readonly reply: ServerReply | undefined

  constructor(why: string, reply?: ServerReply) {
    super(why)
    this.reply = reply
  }
}

/** Thrown when a probe can't show what the server does. */
export class Unseen extends Error {
  /** The possible values of the assumption. */
  readonly among: readonly string[] | undefined

  constructor(why: string, among?: readonly string[]) {
    super(why)
    this.among = among
  }
}

/** Thrown when no reply came in time, or there is no server. */
export class NoReply extends Error {}

/** Thrown when the run ends early: it was stopped, or the server is lost. */
export class Stopped extends Error {}

/** Ends a probe if the rule is broken. @throws Broken */
export function assertKept(isKept: boolean, why: string, reply?: ServerReply): asserts isKept {
  if (!isKept) throw new Broken(why, reply)
}

/** Ends a probe that can't go on. @throws Unseen */
export function assertSeen(isSeen: boolean, why: string): asserts isSeen {
  if (!isSeen) throw new Unseen(why)
}

/** Describes a reply: `GET /plants answered 500`. */
export function describeReply({ asked, path, status }: ServerReply): string {
  const { search } = new URL(asked.url)
  return `${asked.method} ${path}${search} answered ${status}`
}
