import type { Failure } from '../../control/errors.ts'
import type { FieldError } from './shapes.ts'

export interface CallAnswer {
  readonly status: number
  readonly value: unknown
}

export interface StreamEvent {
  readonly id: string | undefined
  /** `request`, `clock`, `scenarios`, … or `gap`, where events are missing before it. */
  readonly type: string
  readonly data: unknown
}

export interface EventListener {
  readonly lastId?: string | undefined
  /** Called when the server answered: data loaded from now on is not older than the stream. */
  onOpen(): void
  onEvent(event: StreamEvent): void
  /** Called last: the stream ended, or could not be opened. */
  onEnd(reason: StreamEnd): void
}

/** Why a stream ended: the server is gone, needs a token, cannot have such a world, or has too many open pages. */
export type StreamEnd = 'lost' | 'needs-token' | 'rejected' | 'crowded'

export interface Transport {
  /**
   * Calls a route of the control API. @param path below `/__greenhouse`, query included. @throws ConnectionError
   * without an answer.
   */
  call(method: string, path: string, body?: unknown): Promise<CallAnswer>
  events(world: string, listener: EventListener): () => void
  apiFetch(path: string, init?: RequestInit): Promise<Response>
}

export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

export class ApiFailure extends Error {
  override name = 'ApiFailure'
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldError[]

  constructor(status: number, code: string, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

export function toPanelFailure(status: number, value: unknown): ApiFailure {
  const { error } = (value ?? {}) as { error?: Partial<Failure['error']> }
  return new ApiFailure(
    status,
    error?.code ?? 'unknown',
    error?.message ?? `The server answered ${status}.`,
    error?.errors,
  )
}

export function isOffline(error: unknown): boolean {
  return error instanceof ConnectionError
}

export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
