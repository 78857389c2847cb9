import { verify, type VerifyOptions, type VerifyReport } from '../../src/contract/verify/verify.ts'
import { createGreenhouse } from 'greenhouse-mock'
import type { Store } from './store.ts'

const assumed = new Set<string>(
  createGreenhouse()
    .assumptions()
    .map(({ id }) => id),
)

/** Whether an id is that of a rule and not of a gap. */
export const isRule = (id: string) => !assumed.has(id)

/** Runs `verify` against a store, on the store's clock and without a network. */
export function verifyStore(store: Store, options: Partial<VerifyOptions> = {}): Promise<VerifyReport> {
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

/** The stated rules that a report says are broken. */
export function brokenOf({ rules }: VerifyReport): string[] {
  return rules.filter(({ outcome, source }) => outcome === 'broken' && source === 'stated').map(({ id }) => id)
}
