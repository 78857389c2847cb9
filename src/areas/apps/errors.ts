import type { ApiError } from '../../core/definitions/errors.ts'
import { jsonReply, type Reply } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'

/** The only statuses of errors that the reference knows; what HTTP has beyond them is told as one of these. */
const statuses = new Set([400, 401, 403, 404, 429, 500])

/** Area B's reply to an error: code, message and request id in an object (stated). */
export function toErrorReply(exchange: Exchange, error: ApiError): Reply {
  return toReply(error, exchange.requestId)
}

/** The same for a request that never reached a world. */
export function toRefusal(error: ApiError, requestId: string): Reply {
  const reply = toReply(error, requestId)
  reply.headers['X-Request-Id'] = requestId
  return reply
}

function toReply(error: ApiError, request_id: string): Reply {
  const { code, status } = toKnownError(error)
  return jsonReply(status, { error: { code, message: error.message, request_id } })
}

function toKnownError(error: ApiError): Pick<ApiError, 'code' | 'status'> {
  if (statuses.has(error.status)) return error
  return error.code === 'method_not_allowed'
    ? { code: 'not_found', status: 404 }
    : { code: 'invalid_request', status: 400 }
}
