import type { Account, Key } from './accounts.ts'
import type { PlanName } from './plans.ts'
import type { PlanLimits } from './rate-limit.ts'

export interface Caller {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
  readonly plan: PlanName
  readonly limits: PlanLimits
}
