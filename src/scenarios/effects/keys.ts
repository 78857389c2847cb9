import * as z from 'zod/mini'
import { scopes, toPermitted, type Key } from '../../core/accounts/accounts.ts'
import { toIso, toMilliseconds, toTimestamp } from '../../core/time/clock.ts'
import { conditions } from '../condition.ts'
import { duration } from '../duration.ts'
import { defineEffect } from '../effect-kind.ts'
import type { Activation } from '../activation.ts'
import { createTrigger } from '../trigger.ts'

const spec = z
  .strictObject({
    /** How long after the scenario was switched on. */
    expire: z.optional(duration),
    revoke: z.optional(z.literal(true)),
    /** The service does not know the key. */
    forget: z.optional(z.literal(true)),
    /** The key does not arrive. */
    lose: z.optional(z.literal(true)),
    /** What it may do at most. */
    scopes: z.optional(z.array(z.enum(scopes))),
    /** What it may not do, whatever else. */
    without: z.optional(z.enum(scopes)),
    ...conditions,
  })
  .check(
    z.refine(
      (spec) =>
        [spec.expire, spec.revoke, spec.forget, spec.lose, spec.scopes, spec.without].filter(
          (change) => change !== undefined,
        ).length === 1,
      'expected one of "expire: <length of time>", "revoke: true", "forget: true", "lose: true", "scopes: [...]" and "without: <scope>"',
    ),
  )

type Spec = z.infer<typeof spec>

/** `keys`: lets keys expire (so long after the scenario was switched on), be revoked, unknown or lost on the way, or permit less. */
export const keysEffect = defineEffect({
  name: 'keys',
  schema: z.array(spec),
  create: (specs, activation) =>
    specs.map((spec, index) => ({
      ...activation.name(`keys.${index}`),
      decide: createTrigger(spec, activation.counter(`keys.${index}`), 'everything'),
      key: toChange(spec, activation),
    })),
})

function toChange(
  { expire, revoke, forget, scopes: allowed, without }: Spec,
  activation: Activation,
): (key: Readonly<Key>, now: number) => Readonly<Key> | 'unknown' | 'lost' {
  if (expire !== undefined) return toExpiry(toTimestamp(toIso(activation.now + toMilliseconds(expire))))
  if (revoke) return (key) => ({ ...key, revoked: true })
  if (forget) return () => 'unknown'
  if (allowed) {
    const permitted = toPermitted(allowed)
    return (key) => ({ ...key, scopes: (key.scopes ?? scopes).filter((scope) => permitted.includes(scope)) })
  }
  if (without) return (key) => ({ ...key, scopes: (key.scopes ?? scopes).filter((scope) => scope !== without) })
  return () => 'lost'
}

function toExpiry(at: number) {
  return (key: Readonly<Key>, now: number) =>
    now < at || (key.expires_at !== undefined && toTimestamp(key.expires_at) < at)
      ? key
      : { ...key, expires_at: toIso(at) }
}
