import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { findAccountRecord, findApp } from '../apps/lookup.ts'
import { users, type User } from './schemas.ts'

export function findUser(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<User> {
  const app = findApp(exchange, params['app_id']!)
  return findAccountRecord(exchange, users, params['user_id']!, 'user', { noun: 'app', id: app.id })
}
