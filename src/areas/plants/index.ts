import type { ApiError, ErrorCode, Rejection } from '../../core/contract/errors.ts'
import { jsonReply, type Reply } from '../../core/http/reply.ts'
import type { Exchange, Input } from '../../core/pipeline/exchange.ts'
import type { Area, Operation } from '../../core/pipeline/operation.ts'
import { checkQueryNames } from '../../core/pipeline/query.ts'
import { checkFieldNames } from '../../core/pipeline/input.ts'
import { plantAssumptions } from './assumptions.ts'
import { createPlant } from './operations/create.ts'
import { deletePlant } from './operations/delete.ts'
import { listPlants } from './operations/list.ts'
import { newPlantSchema, plantErrorSchema, plants, plantSchema } from './schemas.ts'

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

function toErrorReply(exchange: Pick<Exchange, 'assume'>, error: ApiError): Reply {
  const status = toStatus(error, exchange)
  const isNumbered = exchange.assume(plantAssumptions, 'plants.error-code') === 'numbered'
  const number = isNumbered ? (numbers[error.code] ?? status) : status
  return jsonReply(status, { error: number, message: error.message })
}

const statuses: Partial<Record<ErrorCode, keyof typeof plantAssumptions>> = {
  method_not_allowed: 'plants.unknown-method',
  payload_too_large: 'plants.body.too-large',
  unsupported_encoding: 'plants.body.encoding',
  unsupported_media_type: 'plants.body.type',
}

function toStatus({ code, status }: Pick<ApiError, 'code' | 'status'>, exchange: Pick<Exchange, 'assume'>): number {
  // The operations of users have any codes, also `constructor`.
  const assumption = Object.hasOwn(statuses, code) && statuses[code]
  return assumption ? Number(exchange.assume(plantAssumptions, assumption)) : status
}

export const plantsCollections = { plants }

export const plantsArea: Area = {
  name: 'plants',
  title: 'Plant store',
  version: '1.0.0',
  base: '',
  operations: [createPlant, listPlants, deletePlant],
  collections: plantsCollections,
  assumptions: plantAssumptions,
  schemas: { Plant: plantSchema, NewPlant: newPlantSchema, PlantError: plantErrorSchema },
  eventSchemas: { 'plant.created': newPlantSchema },
  errorSchema: plantErrorSchema,
  rejectsUnknownFields,
  keepsUnknownFields: (exchange) => exchange.assume(plantAssumptions, 'plants.create.unknown-fields') === 'keep',
  idSchema: { type: 'integer', format: 'int64' },
  toStatus,
  hasIdempotencyKeys: false,
  check: checkRequest,
  isRateLimited: (exchange) => exchange.assume(plantAssumptions, 'plants.rate-limits') === 'on',
  hasRequestId: () => false,
  toErrorReply,
  toRejectionReply: ({ status, message }) => jsonReply(status, { error: status, message }),
}

function rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean {
  return exchange.assume(plantAssumptions, 'plants.create.unknown-fields') === 'reject'
}

function checkRequest(
  exchange: Exchange,
  { id, body }: Operation,
  { query, sent }: Pick<Input<unknown>, 'query' | 'sent'>,
  rejection: Rejection,
): void {
  if (body && rejectsUnknownFields(exchange)) checkFieldNames(sent, body, rejection)
  if (query.size === 0 || exchange.assume(plantAssumptions, 'plants.unknown-query') === 'ignore') return
  checkQueryNames(
    query,
    id === 'plants.list' ? [exchange.assume(plantAssumptions, 'plants.list.limit-name')] : [],
    rejection,
  )
}
