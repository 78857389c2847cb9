import type { Probe } from '../probe.ts'
import { appGaps, appRules, deploymentGaps } from './apps.ts'
import { appAuthRules, authGaps, plantAuthRules } from './keys.ts'
import { paidGaps } from './paid.ts'
import { plantCreateGaps, plantCreateRules } from './plants-create.ts'
import { plantDeleteGaps, plantDeleteRules } from './plants-delete.ts'
import { plantListGaps, plantListRules } from './plants-list.ts'
import { rateLimitGaps, rateLimitRules } from './rate-limit.ts'
import { webhookGaps } from './webhooks.ts'

/** The rules and gaps in the order in which they run: those that spend the rate limit come last. */
export const table: readonly Probe[] = [
  ...plantAuthRules,
  ...plantListRules,
  ...plantCreateRules,
  ...plantDeleteRules,
  ...appAuthRules,
  ...appRules,
  ...rateLimitRules,
  ...plantListGaps,
  ...plantCreateGaps,
  ...plantDeleteGaps,
  ...authGaps,
  ...appGaps,
  ...webhookGaps,
  ...deploymentGaps,
  ...paidGaps,
  ...rateLimitGaps,
]
