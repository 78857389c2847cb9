import type { ServiceRequest } from '../core/http/request.ts'
import type { Reply } from '../core/http/reply.ts'
import type { JournalRecord } from '../core/journal/journal-record.ts'
import type { Service } from '../core/pipeline/service.ts'
import type { Exchange } from '../core/pipeline/exchange.ts'
import type { Base, Forwarded } from './message.ts'

/** The sender of requests to the real service. */
export interface Target {
  /**
   * Sends a request as it came. @param isWhole whether a part of the reply, or none, would not do
   * @throws TargetFailure
   */
  send(request: ServiceRequest, base: Base, isWhole: boolean): Promise<Forwarded>
  /**
   * Takes the codings of Content-Encoding off a body. @throws Error for a body that has not that
   * form, or is too large
   */
  decode(body: Uint8Array, encoding: string): Promise<Uint8Array>
  readonly recorder?: Recorder
}

/** A reply as the service gave it. */
export interface ServiceReply {
  readonly status: number
  readonly phrase: string
  /** Names and values in turn. */
  readonly raw: readonly string[]
  /** The body, without its codings if they can be read here. */
  readonly body: Uint8Array
  /** The pieces of a body whose length the service did not say. */
  readonly pieces?: readonly Uint8Array[]
}

/** The keeper of the service's replies. */
export interface Recorder {
  add(exchange: Exchange, reply: ServiceReply): void
  leaveOut(why: string): void
}

/** The facts that the service has shown so far. */
export interface Shown {
  /** The keys that it accepted, each with the id of its account at the mock. */
  readonly accepted: Map<string, string>
  /** The operations that have succeeded. */
  readonly has: Set<string>
}

/** A request on its way to a service, and what it needs there. */
export interface Context {
  readonly target: Target
  readonly shown: Shown
  /** How much of a body is judged, recorded and changed, in bytes. */
  readonly limit: number
  readonly fallsBack: boolean
  /** How long a reply that must be read as a whole may take, in milliseconds. */
  readonly patience: number
  readonly service: Service
  readonly exchange: Exchange
  readonly base: Base
}

export interface ProxyAnswer {
  readonly reply: Reply
  /** The reply to record, if it is not the one that is sent: readable if that is compressed. */
  readonly shown?: Reply
  readonly passed?: Passed
}

/** A body that is passed on in pieces; its entry is complete at its end. */
export interface Passed {
  readonly source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  record: JournalRecord | undefined
  /** True until its reason says that nobody judges it. */
  readonly isJudged: boolean
  /**
   * What the recorder gets at the end; `undefined` if it has the reply already, or if there is
   * none.
   */
  readonly came: (ServiceReply & { readonly size?: number }) | undefined
}
