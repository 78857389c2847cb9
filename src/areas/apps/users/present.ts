import { toIso } from '../../../core/time/clock.ts'
import type { User } from './schemas.ts'

/** Converts an end user to the form in replies and events. */
export function presentUser({ id, email, name, created_at }: Readonly<User>) {
  return { id, email, name, signup_date: toIso(created_at) }
}
