import { toIso } from '../../../core/time/clock.ts'
import type { User } from './schemas.ts'

/** An end user as replies and events carry it. */
export function presentUser({ id, email, name, created_at }: Readonly<User>) {
  return { id, email, name, signup_date: toIso(created_at) }
}
