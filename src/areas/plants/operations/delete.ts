import { explainNotFound } from '../../../core/pipeline/explain-not-found.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { declareOperation } from '../../../core/pipeline/operation.ts'
import { plantAssumptions } from '../assumptions.ts'
import { plants, toInt64 } from '../schemas.ts'

export const deletePlant = declareOperation({
  id: 'plants.delete',
  method: 'DELETE',
  path: '/plants/{id}',
  title: 'Delete Plant',
  source: 'stated',
  scope: 'plants:write',
  statuses: (assume) => [
    Number(assume(plantAssumptions, 'plants.delete.status')),
    ...(assume(plantAssumptions, 'plants.delete.unknown') === '204' ? [204] : []),
  ],
  errors: (assume) => [
    'insufficient_permissions',
    ...(assume(plantAssumptions, 'plants.delete.invalid-id') === '404' ? (['not_found'] as const) : []),
    ...(assume(plantAssumptions, 'plants.delete.unknown') === '204'
      ? []
      : ([['not_found', Number(assume(plantAssumptions, 'plants.delete.unknown'))]] as const)),
  ],
  handle(exchange, { params }) {
    const id = readId(exchange, params['id']!)
    const stored = exchange.collection(plants)
    const plant = stored.get(id)
    if (!plant) return absent(exchange, id)
    if (plant.account !== exchange.caller!.account.id) {
      if (exchange.assume(plantAssumptions, 'plants.delete.foreign') === '403')
        throw new ApiError('insufficient_permissions', `The plant ${id} belongs to another caller.`).because(
          explainNotFound(exchange, plants, id),
        )
      return absent(exchange, id)
    }
    stored.delete(id)
    return { status: Number(exchange.assume(plantAssumptions, 'plants.delete.status')) }
  },
})

function readId(exchange: Exchange, text: string): number | bigint {
  const id = /^-?\d{1,19}$/.test(text) ? toInt64(BigInt(text)) : undefined
  if (id !== undefined) return id
  if (exchange.assume(plantAssumptions, 'plants.delete.invalid-id') === '404')
    throw new ApiError('not_found', 'There is no such plant.')
  throw new ApiError('invalid_request', 'id must be an integer of 64 bits.')
}

function absent(exchange: Exchange, id: number | bigint) {
  const status = exchange.assume(plantAssumptions, 'plants.delete.unknown')
  if (status === '204') return { status: 204 }
  throw new ApiError('not_found', `There is no plant with the id ${id}.`, Number(status)).because(
    explainNotFound(exchange, plants, id),
  )
}
