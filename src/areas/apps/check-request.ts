import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { Operation } from '../../core/pipeline/operation.ts'
import type { Input } from '../../core/pipeline/endpoint.ts'
import { checkQueryNames } from '../../core/pipeline/query.ts'
import type { Refusal } from '../../core/pipeline/refusal.ts'
import { checkFieldNames } from '../../core/pipeline/unknown-fields.ts'
import { appAssumptions } from './assumptions.ts'
import { checkTextLengths } from '../../core/pipeline/text-length.ts'

export function rejectsUnknownFields(exchange: Pick<Exchange, 'assume'>): boolean {
  return exchange.assume(appAssumptions, 'apps.unknown-fields') === 'reject'
}

export function longestText(exchange: Pick<Exchange, 'assume'>): number {
  return Number(exchange.assume(appAssumptions, 'apps.text-length'))
}

export function checkRequest(
  exchange: Exchange,
  { body, query: known = {} }: Operation,
  { query, sent }: Pick<Input<unknown>, 'query' | 'sent'>,
  refusal: Refusal,
): void {
  if (body) {
    checkTextLengths(sent, longestText(exchange), refusal)
    if (rejectsUnknownFields(exchange)) checkFieldNames(sent, body, refusal)
  }
  if (query.size > 0 && exchange.assume(appAssumptions, 'apps.unknown-query') === 'reject')
    checkQueryNames(query, Object.keys(known), refusal)
}
