import type { VerifyRule } from '../definitions.ts'
import { appAuthRules } from './auth.ts'
import { appRules } from './apps.ts'
import { plantAuthRules } from './plants-auth.ts'
import { plantCreateRules } from './plants-create.ts'
import { plantDeleteRules } from './plants-delete.ts'
import { plantListRules } from './plants-list.ts'
import { rateLimitRules } from './rate-limit.ts'

/** All rules with a probe, in the order in which they run: those that spend the rate limit come last. */
export const verifyRules: readonly VerifyRule[] = [
  ...plantAuthRules,
  ...plantListRules,
  ...plantCreateRules,
  ...plantDeleteRules,
  ...appAuthRules,
  ...appRules,
  ...rateLimitRules,
]
