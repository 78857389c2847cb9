import { toObjectError, type ApiError } from '../../core/definitions/errors.ts'
import { coreAssumptions } from '../../core/pipeline/assumptions.ts'
import type { Area } from '../../core/pipeline/operation.ts'
import { jsonReply } from '../../core/http/reply.ts'
import { appOperations } from './apps/index.ts'
import { apps } from './apps/schemas.ts'
import { accountOperations } from './account/index.ts'
import { appAssumptions } from './assumptions.ts'
import { checkRequest } from './check-request.ts'
import { conversationOperations } from './conversations/index.ts'
import { conversations, messages } from './conversations/schemas.ts'
import { deploymentOperations } from './deployments/index.ts'
import { pendingDeployments } from './deployments/progress.ts'
import { deployments } from './deployments/schemas.ts'
import { paymentOperations } from './payments/index.ts'
import { renewalLifecycle } from './payments/renewal.ts'
import { credits, purchases, subscriptions } from './payments/schemas.ts'
import { pendingPurchases } from './payments/settlement.ts'
import { usageOperations } from './usage/index.ts'
import { userOperations } from './users/index.ts'
import { users } from './users/schemas.ts'
import { deliverEvent } from './webhooks/delivery/deliver.ts'
import { deliveryLifecycle, pendingDeliveries } from './webhooks/delivery/engine.ts'
import { webhookOperations } from './webhooks/index.ts'
import { deliveries, webhooks } from './webhooks/schemas.ts'

/** The only statuses of errors that the reference knows; what HTTP has beyond them is told as one of these. */
const statuses = new Set([400, 401, 403, 404, 429, 500])

/** The records of Area B, by collection. */
export const appsCollections = {
  apps,
  users,
  conversations,
  messages,
  webhooks,
  deliveries,
  deployments,
  subscriptions,
  credits,
  purchases,
}

/** Area B: app management. */
export const appsArea: Area = {
  name: 'apps',
  base: '/v1',
  operations: [
    ...appOperations,
    ...userOperations,
    ...usageOperations,
    ...conversationOperations,
    ...webhookOperations,
    ...deploymentOperations,
    ...paymentOperations,
    ...accountOperations,
  ],
  assumptions: appAssumptions,
  listen: deliverEvent,
  lifecycles: [deliveryLifecycle, renewalLifecycle],
  pending: [pendingPurchases, pendingDeployments, pendingDeliveries],
  hasIdempotencyKeys: true,
  check: checkRequest,
  isRateLimited: () => true,
  hasRequestId: (exchange) => exchange.assume(coreAssumptions, 'errors.request-id-header') === 'sent',
  toErrorReply(exchange, error) {
    const { code, status } = toKnownError(error)
    return jsonReply(status, toObjectError(code, error.message, exchange.requestId))
  },
  toRefusal(error, requestId) {
    const { code, status } = toKnownError(error)
    const reply = jsonReply(status, toObjectError(code, error.message, requestId))
    reply.headers['X-Request-Id'] = requestId
    return reply
  },
}

function toKnownError(error: ApiError): Pick<ApiError, 'code' | 'status'> {
  if (statuses.has(error.status)) return error
  return error.code === 'method_not_allowed'
    ? { code: 'not_found', status: 404 }
    : { code: 'invalid_request', status: 400 }
}
