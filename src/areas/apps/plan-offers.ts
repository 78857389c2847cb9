import { planNames, type PlanName } from '../../core/accounts/plans.ts'

/** What an account gets with a plan besides its rate limits (ours, but for the names). */
export interface Offer {
  /** What people call it. */
  readonly title: string
  /** US cents a period. */
  readonly price: number
  /** How many apps an account can have. */
  readonly apps: number
}

export const offers: Readonly<Record<PlanName, Offer>> = {
  free: { title: 'Free', price: 0, apps: 5 },
  lite: { title: 'Lite', price: 900, apps: 50 },
  pro: { title: 'Pro', price: 2_900, apps: 100 },
  pro_plus: { title: 'Pro Plus', price: 9_900, apps: 1_000 },
}

/** The lowest plan that has a feature. */
export const firstPlanWith = { custom_domain: 'pro', hide_powered_by: 'pro_plus' } as const satisfies Record<
  string,
  PlanName
>

/** Whether a plan is that one or a higher one. */
export function isAtLeast(plan: PlanName, needed: PlanName): boolean {
  return planNames.indexOf(plan) >= planNames.indexOf(needed)
}
