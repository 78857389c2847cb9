import type { SeenRequest } from '../seen-request.ts'

/** A rule about how a client behaves. It fails only on proof; without evidence it is not exercised. */
export interface Rule {
  readonly name: string
  /** What a client that keeps it does. */
  readonly title: string
  /** Why it matters: what goes wrong for clients that break it. */
  readonly why: string
  /** How a test exercises it. */
  readonly exercise: string
  /** Starts to watch the requests of one world. */
  watch(report: RuleReport): Watch
}

/** Watches the requests of one world. */
export interface Watch {
  /** Called with each request once its reply is sent. */
  see(request: SeenRequest): void
  /** Called when no more requests follow. */
  end?(): void
}

/** What a rule reports. */
export interface RuleReport {
  /** The client kept the rule in these requests. */
  pass(...requests: readonly SeenOrShown[]): void
  /** The client broke the rule. @param message what it did: 'waited 200 ms, not 30 s'. */
  fail(message: string, ...requests: readonly SeenOrShown[]): void
}

type SeenOrShown = Pick<SeenRequest, 'show'>

export type Past = Pick<SeenRequest, 'id' | 'at' | 'endedAt' | 'status' | 'retryAfter' | 'idempotencyKey' | 'show'>

export function toPast(request: SeenRequest): Past {
  const { id, at, endedAt, status, retryAfter, idempotencyKey } = request
  const shown = request.show()
  return { id, at, endedAt, status, retryAfter, idempotencyKey, show: () => shown }
}

/** Returns how long a client waited after a reply, in milliseconds: on the world's clock or the machine's, whichever is longer. */
export function waitedSince(past: Past, request: SeenRequest): number {
  return Math.max(request.at - past.at, request.startedAt - past.endedAt)
}

export function isAfter(request: SeenRequest, past: Pick<Past, 'id' | 'endedAt'>): boolean {
  return request.id > past.id && request.startedAt >= past.endedAt
}

const max = 100

export class NewestMap<V> extends Map<string, V> {
  override set(key: string, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > max) this.delete(this.keys().next().value!)
    return this
  }
}

export function toWait(milliseconds: number): string {
  return milliseconds < 10_000 ? `${Math.round(milliseconds)} ms` : `${Math.round(milliseconds / 1_000)} s`
}
