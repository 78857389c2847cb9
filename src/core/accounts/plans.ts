import * as z from 'zod/mini'
import { declareCollection, type CollectionDefinition } from '../store/collection.ts'
import type { CollectionStore } from '../store/records.ts'

/**
 * Your own plans, by id. Declare them so that TypeScript knows their names.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnPlans {
 *     team: true
 *   }
 * }
 */
export interface OwnPlans {}

/** The name of a plan, as fixtures and scenarios write it. */
export type PlanName = 'free' | 'lite' | 'pro' | 'pro_plus' | (keyof OwnPlans & string)

/** A plan: the limits of its accounts, and what it costs. */
export interface Plan {
  id: PlanName
  /** The display name. */
  name: string
  /** The most requests in a minute. */
  minute: number
  /** The most requests in a UTC day. */
  day: number
  /** The most apps of an account. */
  apps: number
  /** Whether deployments may have a custom domain. */
  custom_domains: boolean
  /** Whether deployments may hide "Powered by". */
  white_label: boolean
  /** The price of a period, in US cents. */
  price: number
}

/** A plan as fixtures write it. Omitted fields keep their values; in a new plan they have those of `free`. */
export type PlanFixture = Pick<Plan, 'id'> & Partial<Plan>

export const planNames: readonly [PlanName, ...PlanName[]] = ['free', 'lite', 'pro', 'pro_plus']

/** The plans that always exist. The requests per minute and per day are stated, the rest is ours. */
export const defaultPlans: readonly Plan[] = [
  toPlan('free', 'Free', 60, 1_000, 5, 0),
  toPlan('lite', 'Lite', 120, 5_000, 50, 900),
  toPlan('pro', 'Pro', 300, 25_000, 100, 2_900, true),
  toPlan('pro_plus', 'Pro Plus', 600, 100_000, 1_000, 9_900, true, true),
]

function toPlan(
  id: PlanName,
  name: string,
  minute: number,
  day: number,
  apps: number,
  price: number,
  custom_domains = false,
  white_label = false,
): Plan {
  return { id, name, minute, day, apps, custom_domains, white_label, price }
}

/** The schema of an amount. `z.gte` would add more code to a page. */
const amount = (minimum: number) =>
  z.int32().check(({ value, issues }) => {
    if (value < minimum) issues.push({ code: 'too_small', origin: 'number', minimum, inclusive: true, input: value })
  })

export const plans: CollectionDefinition<Plan> = declareCollection({
  name: 'plans',
  schema: z.strictObject({
    id: z.enum(planNames),
    name: z.string(),
    minute: amount(1),
    day: amount(1),
    apps: amount(0),
    custom_domains: z.boolean(),
    white_label: z.boolean(),
    price: amount(0),
  }),
  key: (plan) => plan.id,
  defaults: defaultPlans,
})

/** Returns a plan. One that fixtures no longer have, after a reload, is like `free`. */
export function planOf(
  world: { collection(definition: CollectionDefinition<Plan>): Pick<CollectionStore<Plan>, 'get'> },
  name: PlanName,
): Readonly<Plan> {
  return world.collection(plans).get(name) ?? defaultPlans[0]!
}
