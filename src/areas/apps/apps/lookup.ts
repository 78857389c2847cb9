import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { explainNotFound } from '../../../core/pipeline/explain-not-found.ts'
import type { CollectionDefinition } from '../../../core/store/collection.ts'
import { quote } from '../../../core/text/messages.ts'
import { type App, apps } from './schemas.ts'

export function findApp(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<App> {
  return findAccountRecord(exchange, apps, params['app_id']!, 'app')
}

/** @throws ApiError 400 if the app does not exist or belongs to another account. */
export function namedApp(exchange: Exchange, id: string | null): string | null {
  if (id === null || exchange.collection(apps).get(id)?.account === exchange.caller!.account.id) return id
  throw new ApiError('invalid_request', `app_id must be the id of an app of the account, and ${quote(id)} is not.`)
}

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
