import { ApiError } from '../../../core/contract/errors.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { quote } from '../../../core/text/messages.ts'
import { apps } from '../apps/schemas.ts'
import type { Webhook } from './schemas.ts'

/** @throws ApiError 400 if the app does not exist or belongs to another account. */
export function namedApp(exchange: Exchange, id: string | null): string | null {
  if (id === null || exchange.collection(apps).get(id)?.account === exchange.caller!.account.id) return id
  throw new ApiError('invalid_request', `app_id must be the id of an app of the account, and ${quote(id)} is not.`)
}

export function assertEnabled({ enabled }: Readonly<Webhook>): void {
  if (!enabled)
    throw new ApiError('invalid_request', 'The webhook is disabled. Enable it first: PATCH it with {"enabled": true}.')
}
