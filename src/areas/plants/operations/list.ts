import * as z from 'zod/mini'
import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { byteLength } from '../../../core/http/reply.ts'
import { toJson } from '../../../core/http/json.ts'
import { declareOperation } from '../../../core/pipeline/operation.ts'
import type { OrderedEntries } from '../../../core/store/ordered-entries.ts'
import { plantAssumptions } from '../assumptions.ts'
import { plantShape, presenter } from '../present.ts'
import { plants, plantSchema, type Plant } from '../schemas.ts'

export const listPlants = declareOperation({
  id: 'plants.list',
  method: 'GET',
  path: '/plants',
  title: 'Get Plants',
  source: 'stated',
  scope: 'plants:read',
  queryUnder: (assume) => ({
    [assume(plantAssumptions, 'plants.list.limit-name')]: {
      description: 'How many plants to return at most.',
      schema: {
        type: 'integer',
        format: 'int32',
        minimum: assume(plantAssumptions, 'plants.list.limit-zero') === '400' ? 1 : 0,
      },
    },
  }),
  result: z.array(plantSchema),
  resultUnder: (assume) => z.array(plantShape(assume)),
  handle(exchange, { query }) {
    const limit = readLimit(exchange, query)
    const owned = exchange.collection(plants).ownedBy(exchange.caller!.account.id)
    const order = exchange.assume(plantAssumptions, 'plants.list.order')
    const { includesId, present } = presenter(exchange)
    return exchange.world.replies.get(owned.version, `${order} ${limit} ${includesId}`, () => {
      const picked = pick(owned, order, limit)
      if (minBytes(picked) > maxBytes) throw tooLong(exchange)
      const body = picked.map(present)
      const text = toJson(body)
      const length = byteLength(text)
      if (length > maxBytes && picked.length > 1) throw tooLong(exchange)
      return { status: 200, body, text, length }
    })
  },
})

/** The most bytes of a list, so that writing it takes less than 50 ms. A single plant may be larger. */
const maxBytes = 8 * 2 ** 20

/** Returns a lower bound for the list's size in bytes; 0 for a single plant. */
function minBytes(plants: readonly Readonly<Plant>[]): number {
  let bytes = 0
  if (plants.length > 1)
    for (const { name, tag } of plants) bytes += '{"name":""},'.length + name.length + (tag?.length ?? 0)
  return bytes
}

function tooLong(exchange: Exchange): ApiError {
  const name = exchange.assume(plantAssumptions, 'plants.list.limit-name')
  return new ApiError('invalid_request', `The list would be longer than 8 MiB. Ask for fewer plants with ${name}.`)
}

function readLimit(exchange: Exchange, query: URLSearchParams): number {
  const name = exchange.assume(plantAssumptions, 'plants.list.limit-name')
  const text = query.get(name)
  if (text !== null) {
    const limit = /^\d{1,10}$/.test(text) ? Number(text) : NaN
    if (limit === 0) return limitOfZero(exchange, name)
    if (limit <= 2 ** 31 - 1) return limit
    if (exchange.assume(plantAssumptions, 'plants.list.limit-invalid') === '400')
      throw new ApiError('invalid_request', `${name} must be an integer from 0 to 2147483647.`)
  }
  const fallback = exchange.assume(plantAssumptions, 'plants.list.limit-default')
  return fallback === 'all' ? Infinity : Number(fallback)
}

function limitOfZero(exchange: Exchange, name: string): number {
  const meaning = exchange.assume(plantAssumptions, 'plants.list.limit-zero')
  if (meaning === '400') throw new ApiError('invalid_request', `${name} must be an integer from 1 to 2147483647.`)
  return meaning === 'all' ? Infinity : 0
}

function pick(owned: OrderedEntries<Plant>, order: 'created' | 'newest' | 'id', limit: number): Readonly<Plant>[] {
  switch (order) {
    case 'created':
      return owned.oldest(limit)
    case 'newest':
      return owned.newest(limit).map((entry) => entry.record)
    case 'id':
      return owned.oldest(Infinity).sort(byId).slice(0, limit)
  }
}

function byId(a: Readonly<Plant>, b: Readonly<Plant>): number {
  return a.id < b.id ? -1 : 1
}
