import type { Rule } from './rule.ts'
import { noRetryOf4xx, stopsOnBadKey } from './rules/client-errors.ts'
import { backsOff, givesUp, unsafeRetryHasKey } from './rules/failing-tries.ts'
import { keepsContract, keyNeverInUrl, noStampede, releasesStreams } from './rules/load.ts'
import { survivesMalformed } from './rules/malformed.ts'
import { followsPagination } from './rules/pagination.ts'
import { retryAfterHonoured } from './rules/retry-after.ts'

export const cardRules: readonly Rule[] = [
  retryAfterHonoured,
  backsOff,
  givesUp,
  noRetryOf4xx,
  stopsOnBadKey,
  unsafeRetryHasKey,
  keyNeverInUrl,
  followsPagination,
  ...survivesMalformed,
  noStampede,
  releasesStreams,
  keepsContract,
]
