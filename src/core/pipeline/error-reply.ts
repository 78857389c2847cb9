import { ApiError, printFailure, toReason } from '../contract/errors.ts'
import type { Reply } from '../http/reply.ts'
import { DataMemoryError } from '../store/memory.ts'
import { briefMessage } from '../text/messages.ts'
import type { Exchange } from './exchange.ts'
import { explainMissing, findNearMisses } from './explain-not-found.ts'
import type { Service } from './service.ts'

/**
 * Computed only when the journal is read. The closure keeps alive nothing but the method and the
 * path.
 */
export function addNearMisses({ areas }: Service, exchange: Exchange, { code }: ApiError): void {
  const { method } = exchange.request
  const path = exchange.area.base + exchange.path
  const find = () => findNearMisses(method, path, areas)
  exchange.nearMisses = find
  if (code === 'not_found') exchange.explanation = explainMissing(path, find)
}

/** Returns the reply of an error, and gives the exchange its explanation. */
export function answerWithError(exchange: Exchange, error: ApiError): Reply {
  exchange.explanation = error.explanation
  const reply = exchange.toErrorReply(error)
  if (reply.status !== error.status) return reply
  return {
    ...reply,
    headers: { ...reply.headers, ...error.headers },
  }
}

/**
 * Converts what was thrown. Any other error is a bug in Greenhouse: the log gets the details; the
 * client must not.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DataMemoryError) return new ApiError('internal_error', error.message, 507)
  printFailure('Greenhouse failed to answer a request:', error)
  return new ApiError('internal_error').because(
    briefMessage(`Greenhouse itself failed: ${toReason(error)}`),
  )
}
