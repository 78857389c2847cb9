import { describeStart, type Serving } from './serving.ts'

const plans = ['free', 'lite', 'pro', 'pro_plus']

/** The environment of a command: where the server is and its keys; a plan that no usable key is of has no variable, not one from outside either. */
export function toCommandEnvironment(
  serving: Pick<Serving, 'greenhouse' | 'server'>,
  token: string | undefined,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { plants_url, apps_url, keys } = describeStart(serving)
  const ofPlan = (plan: string) =>
    Object.entries(keys).find(([, key]) => key.plan === plan && key.note === undefined)?.[0]
  return {
    ...env,
    PLANTS_BASE_URL: plants_url,
    APPS_BASE_URL: apps_url,
    GREENHOUSE_URL: plants_url,
    GREENHOUSE_TOKEN: token,
    // Taken: another server that the command starts needs one of its own.
    GREENHOUSE_PORT: undefined,
    ...Object.fromEntries(plans.map((plan) => [`GREENHOUSE_KEY_${plan.toUpperCase()}`, ofPlan(plan)])),
  }
}
