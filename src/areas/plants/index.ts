import { errors, toIntegerError, type ApiError } from '../../core/definitions/errors.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Area } from '../../core/pipeline/operation.ts'
import { jsonReply } from '../../core/http/reply.ts'
import { plantAssumptions } from './assumptions.ts'
import { checkNames } from './check-request.ts'
import { createPlant } from './operations/create.ts'
import { deletePlant } from './operations/delete.ts'
import { listPlants } from './operations/list.ts'

/** Area A: the plant store. */
export const plantsArea: Area = {
  name: 'plants',
  base: '',
  operations: [createPlant, listPlants, deletePlant],
  assumptions: plantAssumptions,
  hasIdempotencyKeys: false,
  check: checkNames,
  isRateLimited: (exchange) => exchange.assume(plantAssumptions, 'plants.rate-limits') === 'on',
  hasRequestId: () => false,
  toErrorReply(exchange, error) {
    const status = statusOf(exchange, error)
    const numbered = exchange.assume(plantAssumptions, 'plants.error-code') === 'numbered'
    return jsonReply(status, toIntegerError(numbered ? errors[error.code].number : status, error.message))
  },
  toRefusal: ({ status, message }) => jsonReply(status, toIntegerError(status, message)),
}

function statusOf(exchange: Exchange, error: ApiError): number {
  switch (error.code) {
    case 'method_not_allowed':
      return Number(exchange.assume(plantAssumptions, 'plants.unknown-method'))
    case 'payload_too_large':
      return Number(exchange.assume(plantAssumptions, 'plants.body.too-large'))
    case 'unsupported_encoding':
      return Number(exchange.assume(plantAssumptions, 'plants.body.encoding'))
    case 'unsupported_media_type':
      return Number(exchange.assume(plantAssumptions, 'plants.body.type'))
    default:
      return error.status
  }
}
