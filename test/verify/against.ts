import { onTestFinished } from 'vitest'
import { serve } from 'greenhouse-mock/server'
import {
  createGreenhouse,
  type AssumptionChoices,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { verify, type VerifyOptions, type VerifyReport } from '../../src/contract/verify/verify.ts'
import type { Send } from '../../src/contract/verify/wire.ts'
import { createHttpClient, createReceive } from '../../src/node-http/verify-http.ts'
import { start } from '../support/test-api.ts'
import type { Store } from './store.ts'

export interface RunOptions extends Partial<VerifyOptions> {
  readonly wrap?: (send: Send) => Send
}

/** Runs `verify` against servers, as fast as they answer. */
export async function verifyTargets(
  targets: VerifyOptions['targets'],
  { wrap = (send) => send, ...options }: RunOptions = {},
): Promise<VerifyReport> {
  const { send, close } = createHttpClient()
  try {
    return await verify({
      targets,
      key: 'key_pro',
      otherKey: 'key_pro_plus',
      limitedKey: 'key_readonly',
      expiredKey: 'key_expired',
      send: wrap(send),
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
function onClockOf(world: World): Pick<VerifyOptions, 'now' | 'wait' | 'rate' | 'movesClock'> {
  return {
    movesClock: true,
    now: () => world.clock.now(),
    async wait(duration) {
      world.clock.advance(duration)
      // Short pauses between requests need no scheduled work.
      if (duration >= 100) await world.settled()
    },
    rate: 60,
  }
}

export async function serveGreenhouse(options: GreenhouseOptions = {}) {
  const greenhouse = createGreenhouse(options)
  const server = await serve(greenhouse)
  onTestFinished(() => server.close())
  const targets = { plants: server.url, apps: `${server.url}/v1` }
  return { url: server.url, targets, world: greenhouse.world('default') }
}

export async function verifyGreenhouse(
  options: RunOptions = {},
  assumptions: AssumptionChoices = {},
): Promise<{ report: VerifyReport; world: World }> {
  const { world, targets } = await serveGreenhouse({ now: start, assumptions })
  world.clock.freeze()
  // The other caller has no credits.
  world.records.credits.update('acct_pro_plus', { purchased: 60, spent: 60 })
  return { report: await verifyTargets(targets, { ...onClockOf(world), ...options }), world }
}

export const assumptions = createGreenhouse().assumptions()
const assumed = new Set<string>(assumptions.map(({ id }) => id))

export const isRule = (id: string) => !assumed.has(id)

/** Runs `verify` against a store, on the store's clock and without a network. */
export function verifyStore(
  store: Store,
  options: Partial<VerifyOptions> = {},
): Promise<VerifyReport> {
  return verify({
    targets: { plants: 'http://store.test', apps: 'http://store.test/v1' },
    key: 'own',
    otherKey: 'other',
    expiredKey: 'expired',
    send: async (asked) => {
      store.now += 3
      return store.answer(asked)
    },
    rate: Infinity,
    timeout: 1_000,
    movesClock: true,
    now: () => store.now,
    wait: async (duration) => void (store.now += duration),
    allowWrites: true,
    allowSpending: false,
    rateLimit: false,
    slow: false,
    only: isRule,
    ...options,
  })
}

export function brokenOf({ rules }: VerifyReport): string[] {
  return rules
    .filter(({ outcome, source }) => outcome === 'broken' && source === 'stated')
    .map(({ id }) => id)
}
