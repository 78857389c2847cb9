import { toObjectError, type ApiError } from '../../core/errors.ts'
import { coreAssumptions } from '../../core/ledger.ts'
import type { Area } from '../../core/operation.ts'
import { jsonReply } from '../../core/reply.ts'
import { appOperations } from './apps/index.ts'
import { apps } from './apps/schemas.ts'
import { appAssumptions } from './assumptions.ts'

/** The only statuses of errors that the reference knows; what HTTP has beyond them is told as one of these. */
const statuses = new Set([400, 401, 403, 404, 429, 500])

/** Area B: app management. */
export const appsArea: Area = {
  name: 'apps',
  base: '/v1',
  operations: [...appOperations],
  collections: [apps as never],
  assumptions: appAssumptions,
  hasIdempotencyKeys: true,
  isRateLimited: () => true,
  hasRequestId: (exchange) => exchange.assume(coreAssumptions, 'errors.request-id-header') === 'sent',
  toErrorReply(exchange, error) {
    const { code, status } = toKnownError(error)
    return jsonReply(status, toObjectError(code, error.message, exchange.requestId))
  },
}

function toKnownError(error: ApiError): Pick<ApiError, 'code' | 'status'> {
  if (statuses.has(error.status)) return error
  return error.code === 'method_not_allowed' ? { code: 'not_found', status: 404 } : { code: 'invalid_request', status: 400 }
}
