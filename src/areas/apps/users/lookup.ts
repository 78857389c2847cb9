import { ApiError } from '../../../core/definitions/errors.ts'
import { quote } from '../../../core/definitions/quote.ts'
import { explainAbsence } from '../../../core/pipeline/absence.ts'
import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import { users, type User } from './schemas.ts'

/** Returns the user in a path, of the caller's app. @throws ApiError 404 if app or user does not exist or is not the caller's. */
export function ownUser(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<User> {
  const app = ownApp(exchange, params['app_id']!)
  const id = params['user_id']!
  const user = exchange.collection(users).get(id)
  if (user?.app === app.id) return user
  throw new ApiError('not_found', `The app has no user with the id ${quote(id)}.`).because(
    explainAbsence(exchange, users, id, app.id),
  )
}
