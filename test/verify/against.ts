import { onTestFinished } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import { verify, type VerifyOptions } from '../../src/contract/verify/verify.ts'
import type { VerifyReport } from '../../src/contract/verify/result.ts'
import { createHttpClient, createReceive } from '../../src/node-http/verify-http.ts'
import { createGreenhouse, type AssumptionChoices, type World } from 'greenhouse-mock'
import { start } from '../support/test-api.ts'

/** Runs `verify` against servers, as fast as they answer. */
export async function verifyTargets(
  targets: VerifyOptions['targets'],
  options: Partial<VerifyOptions> = {},
): Promise<VerifyReport> {
  const { send, close } = createHttpClient()
  try {
    return await verify({
      targets,
      key: 'key_pro',
      otherKey: 'key_pro_plus',
      limitedKey: 'key_readonly',
      expiredKey: 'key_expired',
      send,
      rate: Infinity,
      timeout: 30_000,
      now: () => Date.now(),
      wait: async () => undefined,
      allowWrites: true,
      allowSpending: true,
      slow: false,
      rateLimit: false,
      receive: createReceive({ now: options.now ?? Date.now }),
      ...options,
    })
  } finally {
    close()
  }
}

/** Options that run `verify` on a world's clock, without real waits. */
export function onClockOf(world: World): Pick<VerifyOptions, 'now' | 'wait' | 'rate'> {
  return {
    now: () => world.clock.now(),
    async wait(duration) {
      world.clock.advance(duration)
      // Short pauses between requests need no scheduled work.
      if (duration >= 100) await world.settled()
    },
    rate: 60,
  }
}

/** Serves a Greenhouse and runs `verify` against it, on its clock. */
export async function verifyGreenhouse(
  assumptions: AssumptionChoices = {},
  options: Partial<VerifyOptions> = {},
): Promise<{ report: VerifyReport; world: World }> {
  const greenhouse = createGreenhouse({ now: start, assumptions })
  const world = greenhouse.world('default')
  world.clock.freeze()
  // The other caller has no credits.
  world.records.credits.update('acct_pro_plus', { purchased: 60, spent: 60 })
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const targets = { plants: server.url, apps: `${server.url}/v1` }
  return { report: await verifyTargets(targets, { ...onClockOf(world), ...options }), world }
}
