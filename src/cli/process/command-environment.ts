import { toOwnUrl } from '../flags/server.ts'
import { withoutProxy } from './no-proxy.ts'
import { describeStart, type Serving } from '../commands/start-serving.ts'

/** Returns the environment of a command: the server's addresses and keys. A plan without a usable key has no variable, not even an inherited one. */
export function toCommandEnvironment(
  serving: Omit<Serving, 'close'>,
  token: string | undefined,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const url = toOwnUrl(serving.server.url)
  const { plants_url, apps_url, keys } = describeStart({ ...serving, server: { ...serving.server, url } })
  const { plans } = serving.greenhouse.catalogue.contract
  const ofPlan = (plan: string) =>
    Object.entries(keys).find(([, key]) => key.plan === plan && key.note === undefined)?.[0]
  return {
    ...env,
    ...withoutProxy(env, [new URL(url).hostname]),
    PLANTS_BASE_URL: plants_url,
    APPS_BASE_URL: apps_url,
    GREENHOUSE_URL: url,
    ...(serving.world !== 'default' && { GREENHOUSE_WORLD: serving.world }),
    GREENHOUSE_TOKEN: token,
    // The port is in use: a server that the command starts needs its own.
    GREENHOUSE_PORT: undefined,
    ...Object.fromEntries(
      plans.map((plan) => [`GREENHOUSE_KEY_${plan.toUpperCase().replaceAll('-', '_')}`, ofPlan(plan)]),
    ),
  }
}
