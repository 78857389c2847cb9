import { ApiError } from '../../core/contract/errors.ts'
import { quote } from '../../core/text/messages.ts'
import { explainNotFound } from '../../core/pipeline/explain-not-found.ts'
import type { Exchange } from '../../core/pipeline/exchange.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'

export function findAccountRecord<T extends object>(
  exchange: Exchange,
  definition: CollectionDefinition<T>,
  id: string,
  noun: string,
  parent?: { readonly noun: string; readonly id: string },
): Readonly<T> {
  const record = exchange.collection(definition).get(id)
  const home = record && (parent ? definition.parent : definition.owner)?.(record)
  if (record && home === (parent ?? exchange.caller!.account).id) return record
  const notFound = parent ? `The ${parent.noun} has no` : 'There is no'
  throw new ApiError('not_found', `${notFound} ${noun} with the id ${quote(id)}.`).because(
    explainNotFound(exchange, definition, id, parent?.id),
  )
}
