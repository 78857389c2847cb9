import * as z from 'zod/mini'
import { type Assume, toLengths, type Assuming } from '../../core/contract/assumptions.ts'
import {
  ApiError,
  type ErrorCode,
  type ErrorHead,
  invalidRequest,
} from '../../core/contract/errors.ts'
import type { AssumptionValues } from '../../core/contract/generated/assumption-values.ts'
import { describeBrokenRule, type JsonSchema } from '../../core/contract/json-schema.ts'
import { toJson } from '../../core/http/json.ts'
import { byteLength, jsonReply, type Reply } from '../../core/http/reply.ts'
import type { Area } from '../../core/pipeline/area.ts'
import {
  type AuthenticatedExchange,
  type DeclaredError,
  declareOperation,
} from '../../core/pipeline/operation.ts'
import { explainNotFound } from '../../core/pipeline/explain-not-found.ts'
import type { OrderedEntries } from '../../core/store/record-index.ts'
import { quote } from '../../core/text/messages.ts'
import { plantAssumptions } from './assumptions.ts'
import { toPlantCreated } from './events.ts'
import {
  newPlantSchema,
  type Plant,
  plantErrorSchema,
  plants,
  plantSchema,
  toInt64,
  int64,
} from './schemas.ts'
import type { Fields } from '../../core/text/values.ts'

/**
 * The most bytes of a list, so that writing it takes less than 50 ms. A single plant may be larger.
 */
const maxBytes = 8 * 2 ** 20

/** What errors have as `error`, under the assumption `plants.error-code`: `numbered`. */
const errorNumbers: Readonly<Partial<Record<ErrorCode, number>>> = {
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

function toErrorReply(exchange: Assuming, error: ApiError): Reply {
  const status = toStatus(error, exchange)
  let number = status
  if (exchange.assume('plants.error-code') === 'numbered')
    number = errorNumbers[error.code] ?? status
  return jsonReply(status, {
    error: number,
    message: error.message,
  })
}

/** The assumptions that say which status an error has. */
const statusAssumptions: Partial<Record<ErrorCode, keyof AssumptionValues>> = {
  method_not_allowed: 'plants.unknown-method',
  payload_too_large: 'plants.body.too-large',
  unsupported_encoding: 'plants.body.encoding',
  unsupported_media_type: 'plants.body.type',
}

function toStatus({ code, status }: ErrorHead, exchange: Assuming): number {
  // The operations of users have any codes, also `constructor`.
  const assumption = Object.hasOwn(statusAssumptions, code) && statusAssumptions[code]
  if (!assumption) return status
  return Number(exchange.assume(assumption))
}

export const plantsCollections = { plants }

export const plantsArea: Area = {
  name: 'plants',
  title: 'Plant store',
  version: '1.0.0',
  base: '',
  operations: [
    declareOperation({
      id: 'plants.create',
      method: 'POST',
      path: '/plants',
      title: 'Create Plant',
      source: 'stated',
      scope: 'plants:write',
      body: newPlantSchema,
      bodyUnder: (assume) => ({
        id: assume('plants.create.id-range') === 'positive' ? { minimum: 1 } : {},
        name: toLengths(assume('plants.name.length')),
      }),
      example: {
        id: 4711,
        name: 'Ficus',
        tag: 'tree',
      },
      result: plantSchema,
      resultUnder: plantShape,
      errors: (assume) => [['duplicate_id', duplicateStatus(assume('plants.create.duplicate-id'))]],
      handle(exchange, { body, sent }) {
        const { id, name, tag } = body
        const extra = unknownFields(exchange, sent)
        const plant: Plant = {
          id,
          name,
          account: exchange.caller.account.id,
        }
        if (tag !== undefined) plant.tag = tag
        if (extra) plant.extra = extra
        const stored = exchange.collection(plants)
        const existing = stored.get(id)
        if (existing) makeRoomFor(exchange, existing)
        const created = stored.insert(plant)
        if (exchange.assume('plants.webhook') === 'on')
          exchange.emit('plant.created', null, toPlantCreated(created))
        return {
          status: 200,
          body: createPresenter(exchange).present(created),
        }
      },
    }),
    declareOperation({
      id: 'plants.list',
      method: 'GET',
      path: '/plants',
      title: 'Get Plants',
      source: 'stated',
      scope: 'plants:read',
      queryUnder: (assume) => ({
        [assume('plants.list.limit-name')]: {
          description: 'How many plants to return at most.',
          schema: limitSchema(assume('plants.list.limit-zero') === '400' ? 1 : 0),
        },
      }),
      result: z.array(plantSchema),
      resultUnder: (assume) => z.array(plantShape(assume)),
      handle(exchange, { query }) {
        const limit = readLimit(exchange, query)
        const owned = exchange.collection(plants).ownedBy(exchange.caller.account.id)
        const order = exchange.assume('plants.list.order')
        const { includesId, present } = createPresenter(exchange)
        const { replies } = exchange.world.template
        // The cache key holds all that the list depends on, except the records: their version does.
        return replies.get(owned.version, `${order} ${limit} ${includesId}`, () => {
          const picked = pickPage(owned, order, limit)
          if (minBytes(picked) > maxBytes) throw listTooLong(exchange)
          const body = picked.map(present)
          const text = toJson(body)
          const length = byteLength(text)
          if (length > maxBytes && picked.length > 1) throw listTooLong(exchange)
          return {
            status: 200,
            body,
            text,
            length,
          }
        })
      },
    }),
    declareOperation({
      id: 'plants.delete',
      method: 'DELETE',
      path: '/plants/{id}',
      title: 'Delete Plant',
      source: 'stated',
      scope: 'plants:write',
      statuses(assume) {
        const found = [Number(assume('plants.delete.status'))]
        if (assume('plants.delete.unknown') === '204') found.push(204)
        return found
      },
      errors(assume) {
        const found: DeclaredError[] = ['insufficient_permissions']
        const unknown = assume('plants.delete.unknown')
        if (assume('plants.delete.invalid-id') === '404') found.push('not_found')
        if (unknown !== '204') found.push(['not_found', Number(unknown)])
        return found
      },
      handle(exchange, { params }) {
        const id = readId(exchange, params['id'] ?? '')
        const stored = exchange.collection(plants)
        const plant = stored.get(id)
        if (!plant) return answerUnknownPlant(exchange, id)
        if (plant.account !== exchange.caller.account.id) {
          if (exchange.assume('plants.delete.foreign') === '403')
            throw new ApiError(
              'insufficient_permissions',
              `The plant ${id} belongs to another caller.`,
            ).because(explainNotFound(exchange, plants, id))
          return answerUnknownPlant(exchange, id)
        }
        stored.delete(id)
        return { status: Number(exchange.assume('plants.delete.status')) }
      },
    }),
  ],
  collections: plantsCollections,
  assumptions: plantAssumptions,
  schemas: {
    Plant: plantSchema,
    NewPlant: newPlantSchema,
    PlantError: plantErrorSchema,
  },
  eventSchemas: { 'plant.created': newPlantSchema },
  errorSchema: plantErrorSchema,
  rejectsUnknownFields: (exchange) => exchange.assume('plants.create.unknown-fields') === 'reject',
  rejectsUnknownQuery: (exchange) => exchange.assume('plants.unknown-query') === 'reject',
  keepsUnknownFields: (exchange) => exchange.assume('plants.create.unknown-fields') === 'keep',
  idSchema: {
    type: 'integer',
    format: 'int64',
  },
  toStatus,
  hasIdempotencyKeys: false,
  isRateLimited: (exchange) => exchange.assume('plants.rate-limits') === 'on',
  hasRequestId: () => false,
  toErrorReply,
  toRejectionReply: ({ status, message }) =>
    jsonReply(status, {
      error: status,
      message,
    }),
}

function unknownFields(
  exchange: AuthenticatedExchange,
  sent: Fields,
): Record<string, unknown> | undefined {
  if (exchange.assume('plants.create.unknown-fields') !== 'keep') return undefined
  const unknown = Object.entries(sent).filter(
    ([field]) => field !== 'id' && field !== 'name' && field !== 'tag',
  )
  if (unknown.length === 0) return undefined
  return Object.fromEntries(unknown)
}

/** Deletes the plant that has the id of a new one. @throws ApiError where it has to stay */
function makeRoomFor(
  exchange: AuthenticatedExchange,
  { id, account, name }: Readonly<Plant>,
): void {
  const treatment = exchange.assume('plants.create.duplicate-id')
  const isOwn = account === exchange.caller.account.id
  if (treatment === 'replace' && isOwn) return void exchange.collection(plants).delete(id)
  const message = `id: a plant with the id ${id} exists already.`
  const error = new ApiError('duplicate_id', message, duplicateStatus(treatment))
  if (!isOwn) error.because(`${message} It is ${quote(name)} of the account ${account}.`)
  throw error
}

function duplicateStatus(treatment: string): number {
  return treatment === '409' ? 409 : 400
}

function readId(exchange: AuthenticatedExchange, text: string): number | bigint {
  const id = /^-?\d{1,19}$/.test(text) ? toInt64(BigInt(text)) : undefined
  if (id !== undefined) return id
  if (exchange.assume('plants.delete.invalid-id') === '404')
    throw new ApiError('not_found', 'There is no such plant.')
  throw invalidRequest('id must be an integer of 64 bits.')
}

function answerUnknownPlant(exchange: AuthenticatedExchange, id: number | bigint) {
  const status = exchange.assume('plants.delete.unknown')
  if (status === '204') return { status: 204 }
  throw new ApiError('not_found', `There is no plant with the id ${id}.`, Number(status)).because(
    explainNotFound(exchange, plants, id),
  )
}

/** Returns a lower bound for the list's size in bytes; 0 for a single plant. */
function minBytes(plants: readonly Readonly<Plant>[]): number {
  let bytes = 0
  if (plants.length > 1)
    for (const { name, tag } of plants)
      bytes += '{"name":""},'.length + name.length + (tag?.length ?? 0)
  return bytes
}

function listTooLong(exchange: AuthenticatedExchange): ApiError {
  const name = exchange.assume('plants.list.limit-name')
  return invalidRequest(`The list would be longer than 8 MiB. Ask for fewer plants with ${name}.`)
}

function limitSchema(minimum: 0 | 1): JsonSchema {
  return {
    type: 'integer',
    format: 'int32',
    minimum,
  }
}

function readLimit(exchange: AuthenticatedExchange, query: URLSearchParams): number {
  const name = exchange.assume('plants.list.limit-name')
  const text = query.get(name)
  if (text !== null) {
    const wrong = describeBrokenRule(name, text, limitSchema(0))
    const limit = Number(text)
    if (wrong === undefined) return limit === 0 ? limitOfZero(exchange, name) : limit
    if (exchange.assume('plants.list.limit-invalid') === '400') throw invalidRequest(wrong)
  }
  const fallback = exchange.assume('plants.list.limit-default')
  if (fallback === 'all') return Infinity
  return Number(fallback)
}

function limitOfZero(exchange: AuthenticatedExchange, name: string): number {
  const meaning = exchange.assume('plants.list.limit-zero')
  if (meaning === '400') throw invalidRequest(describeBrokenRule(name, 0, limitSchema(1)))
  return meaning === 'all' ? Infinity : 0
}

function pickPage(
  owned: OrderedEntries<Plant>,
  order: 'created' | 'newest' | 'id',
  limit: number,
): Readonly<Plant>[] {
  switch (order) {
    case 'created':
      return owned.oldest(limit)
    case 'newest':
      return owned.newest(limit)
    case 'id':
      return owned.oldest().sort(byId).slice(0, limit)
  }
}

function byId(a: Readonly<Plant>, b: Readonly<Plant>): number {
  return a.id < b.id ? -1 : 1
}

function createPresenter(exchange: AuthenticatedExchange) {
  const includesId = exchange.assume('plants.body.includes-id') === 'yes'
  return {
    includesId,
    present({ id, name, tag, extra }: Readonly<Plant>) {
      const shown: Record<string, unknown> = { ...extra, name }
      if (tag !== undefined) shown['tag'] = tag
      if (includesId) shown['id'] = id
      return shown
    },
  }
}

function plantShape(assume: Assume): z.ZodMiniType {
  const fields = {
    ...plantSchema.shape,
    ...(assume('plants.body.includes-id') === 'yes' && { id: int64 }),
  }
  if (assume('plants.create.unknown-fields') === 'keep') return z.looseObject(fields)
  if ('id' in fields) return z.object(fields)
  return plantSchema
}
