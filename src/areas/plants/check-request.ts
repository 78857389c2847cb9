import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import type { Input } from '../../core/pipeline/endpoint.ts'
import { checkQueryNames } from '../../core/pipeline/query.ts'
import type { Refusal } from '../../core/pipeline/refusal.ts'
import { checkFieldNames } from '../../core/pipeline/unknown-fields.ts'
import { plantAssumptions } from './assumptions.ts'

export function rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean {
  return exchange.assume(plantAssumptions, 'plants.create.unknown-fields') === 'reject'
}

export function keepsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean {
  return exchange.assume(plantAssumptions, 'plants.create.unknown-fields') === 'keep'
}

export function checkRequest(
  exchange: Exchange,
  { id, body }: Operation,
  { query, sent }: Pick<Input<unknown>, 'query' | 'sent'>,
  refusal: Refusal,
): void {
  if (body && rejectsUnknownFields(exchange)) checkFieldNames(sent, body, refusal)
  if (query.size === 0 || exchange.assume(plantAssumptions, 'plants.unknown-query') === 'ignore') return
  checkQueryNames(
    query,
    id === 'plants.list' ? [exchange.assume(plantAssumptions, 'plants.list.limit-name')] : [],
    refusal,
  )
}
