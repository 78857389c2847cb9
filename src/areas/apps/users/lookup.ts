import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { ownApp } from '../apps/lookup.ts'
import { ownRecord } from '../own-record.ts'
import { users, type User } from './schemas.ts'

export function ownUser(exchange: Exchange, params: Readonly<Record<string, string>>): Readonly<User> {
  const app = ownApp(exchange, params['app_id']!)
  return ownRecord(exchange, users, params['user_id']!, 'user', { noun: 'app', id: app.id })
}
