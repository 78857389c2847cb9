import { toIso } from '../../../core/time/time-text.ts'
import { appKind } from '../apps/present.ts'
import type { Kind } from '../declare.ts'
import { type User, users, userSchema } from './schemas.ts'

export function presentUser({ id, email, name, created_at }: Readonly<User>) {
  return {
    id,
    email,
    name,
    signup_date: toIso(created_at),
  }
}

export const userKind: Kind<User> = {
  noun: 'user',
  collection: users,
  parent: appKind,
  schema: userSchema,
  present: presentUser,
}
