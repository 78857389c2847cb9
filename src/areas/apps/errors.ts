import * as z from 'zod/mini'
import {
  errors,
  type ApiError,
  type ErrorCode,
  type ErrorHead,
} from '../../core/contract/errors.ts'
import { jsonReply, type Reply } from '../../core/http/reply.ts'
import type { Area } from '../../core/pipeline/area.ts'
import { notEmpty } from '../../core/pipeline/list-query.ts'

/** The only error statuses in the reference. Other HTTP errors are mapped to one of these. */
export const errorStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 429, 500])

const codes = (Object.keys(errors) as ErrorCode[]).filter((code) =>
  errorStatuses.has(errors[code].status),
) as [ErrorCode, ...ErrorCode[]]

/**
 * The body of an error below `/v1` (stated). The reference names one code and leaves the list open.
 */
export const appErrorSchema = z.object({
  error: z.object({
    code: z.union([z.enum(codes), z.string()]),
    message: z.string(),
    request_id: z.string(),
  }),
})

/** How app management answers, and the areas of plug-ins with it. */
export const sharedRules = {
  errorSchema: appErrorSchema,
  idSchema: notEmpty,
  hasIdempotencyKeys: true,
  isRateLimited: () => true,
  hasRequestId: (exchange) => exchange.assume('errors.request-id-header') === 'sent',
  toStatus,
  toErrorReply,
  toRejectionReply,
} satisfies Partial<Area>

function toStatus(error: ErrorHead): number {
  return replaceUnstatedError(error).status
}

function toErrorReply({ requestId }: { readonly requestId: string }, error: ApiError): Reply {
  const { code, status } = replaceUnstatedError(error)
  return jsonReply(status, {
    error: {
      code,
      message: error.message,
      request_id: requestId,
    },
  })
}

function toRejectionReply(error: ApiError, requestId: string): Reply {
  const reply = toErrorReply({ requestId }, error)
  reply.headers['X-Request-Id'] = requestId
  return reply
}

function replaceUnstatedError(error: ErrorHead): ErrorHead {
  // The operations of users may have codes and statuses of their own.
  if (errorStatuses.has(error.status) || !Object.hasOwn(errors, error.code)) return error
  if (error.code === 'method_not_allowed')
    return {
      code: 'not_found',
      status: 404,
    }
  if (error.code === 'internal_error')
    return {
      code: error.code,
      status: 500,
    }
  return {
    code: 'invalid_request',
    status: 400,
  }
}
