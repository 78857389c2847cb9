import { planNames, type PlanName } from '../../core/accounts/plans.ts'

/** The parts of a plan other than its rate limits (ours, except the names). */
export interface PlanDetails {
  /** The display name. */
  readonly title: string
  /** The price of a period, in US cents. */
  readonly price: number
  /** The most apps that an account may have. */
  readonly apps: number
}

export const offers: Readonly<Record<PlanName, PlanDetails>> = {
  free: { title: 'Free', price: 0, apps: 5 },
  lite: { title: 'Lite', price: 900, apps: 50 },
  pro: { title: 'Pro', price: 2_900, apps: 100 },
  pro_plus: { title: 'Pro Plus', price: 9_900, apps: 1_000 },
}

/** The lowest plan with each feature. */
export const minimumPlanFor = { custom_domain: 'pro', hide_powered_by: 'pro_plus' } as const satisfies Record<
  string,
  PlanName
>

/** Whether a plan is `needed` or a higher one. */
export function isAtLeast(plan: PlanName, needed: PlanName): boolean {
  return planNames.indexOf(plan) >= planNames.indexOf(needed)
}
