import type { ApiError, ErrorCode } from '../../core/definitions/errors.ts'
import { jsonReply, type Reply } from '../../core/http/reply.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import { plantAssumptions } from './assumptions.ts'

const numbers: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_request: 4000,
  duplicate_id: 4001,
  idempotency_key_reused: 4002,
  payment_declined: 4003,
  missing_api_key: 4010,
  invalid_api_key: 4011,
  insufficient_permissions: 4030,
  insufficient_credits: 4031,
  not_found: 4040,
  method_not_allowed: 4050,
  payload_too_large: 4130,
  unsupported_encoding: 4150,
  unsupported_media_type: 4151,
  rate_limit_exceeded: 4290,
  internal_error: 5000,
}

export function toErrorReply(exchange: Pick<Exchange, 'assume'>, error: ApiError): Reply {
  const status = toStatus(error, exchange)
  const isNumbered = exchange.assume(plantAssumptions, 'plants.error-code') === 'numbered'
  return toReply(status, isNumbered ? (numbers[error.code] ?? status) : status, error.message)
}

export function toRefusal({ status, message }: ApiError): Reply {
  return toReply(status, status, message)
}

function toReply(status: number, error: number, message: string): Reply {
  return jsonReply(status, { error, message })
}

export function toStatus(
  { code, status }: Pick<ApiError, 'code' | 'status'>,
  exchange: Pick<Exchange, 'assume'>,
): number {
  switch (code) {
    case 'method_not_allowed':
      return Number(exchange.assume(plantAssumptions, 'plants.unknown-method'))
    case 'payload_too_large':
      return Number(exchange.assume(plantAssumptions, 'plants.body.too-large'))
    case 'unsupported_encoding':
      return Number(exchange.assume(plantAssumptions, 'plants.body.encoding'))
    case 'unsupported_media_type':
      return Number(exchange.assume(plantAssumptions, 'plants.body.type'))
    default:
      return status
  }
}
