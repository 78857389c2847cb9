import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord } from '../find-record.ts'
import { apps, type App } from './schemas.ts'
import { quote } from '../../../core/text/messages.ts'

export function findApp(exchange: Exchange, id: string): Readonly<App> {
  return findAccountRecord(exchange, apps, id, 'app')
}

/**
 * Returns the id of the caller's app that a body names; `null` if it names none. @throws ApiError 400 if the app does
 * not exist or belongs to another account.
 */
export function namedApp(exchange: Exchange, id: string | null): string | null {
  if (id === null || exchange.collection(apps).get(id)?.account === exchange.caller!.account.id) return id
  throw new ApiError('invalid_request', `app_id must be the id of an app of the account, and ${quote(id)} is not.`)
}
