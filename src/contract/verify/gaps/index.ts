import type { Gap } from '../definitions.ts'
import { appGaps } from './apps.ts'
import { authGaps } from './auth.ts'
import { deploymentGaps } from './deployments.ts'
import { paidGaps } from './paid.ts'
import { plantCreateGaps } from './plants-create.ts'
import { plantDeleteGaps } from './plants-delete.ts'
import { plantListGaps } from './plants-list.ts'
import { rateLimitGaps } from './rate-limit.ts'
import { webhookGaps } from './webhooks.ts'

/** All gaps with a probe, in the order in which they run: those that spend the rate limit come last. */
export const gaps: readonly Gap[] = [
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
