import type { Failure, FieldError } from './shapes.ts'
import { ConnectionError } from './transport.ts'

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
