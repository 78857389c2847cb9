/** The name of a plan, as fixtures and scenarios write it. */
export type PlanName = 'free' | 'lite' | 'pro' | 'pro_plus'

/** Requests per minute and per UTC day of each plan (stated). */
export const plans: Readonly<Record<PlanName, { readonly minute: number; readonly day: number }>> = {
  free: { minute: 60, day: 1_000 },
  lite: { minute: 120, day: 5_000 },
  pro: { minute: 300, day: 25_000 },
  pro_plus: { minute: 600, day: 100_000 },
}

export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]
