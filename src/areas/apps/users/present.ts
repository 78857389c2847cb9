import { toIso } from '../../../core/time/time-text.ts'
import type { User } from './schemas.ts'

export function presentUser({ id, email, name, created_at }: Readonly<User>) {
  return { id, email, name, signup_date: toIso(created_at) }
}
