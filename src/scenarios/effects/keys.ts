import * as z from 'zod/mini'
import { toIso, toMilliseconds } from '../../core/clock.ts'
import { callerFilter, where } from '../condition.ts'
import { duration } from '../duration.ts'
import { defineEffect } from '../effect-kind.ts'

/** `keys`: lets keys expire (so long after the scenario was switched on) or be revoked. */
export const keysEffect = defineEffect({
  name: 'keys',
  schema: z.array(
    z.union([z.strictObject({ expire: duration, where }), z.strictObject({ revoke: z.literal(true), where })], 'expected "expire: <length of time>" or "revoke: true", and "where"'),
  ),
  create: (specs, { scenario, now }) =>
    specs.map((spec) => {
      const isMeant = callerFilter(spec.where)
      const change = 'expire' in spec ? { expires_at: toIso(now + toMilliseconds(spec.expire)) } : { revoked: true }
      return {
        scenario,
        key: (key, account, at) => {
          if (!isMeant(key, account)) return key
          if (change.expires_at !== undefined && (toIso(at) < change.expires_at || (key.expires_at ?? '~') < change.expires_at)) return key
          return { ...key, ...change }
        },
      }
    }),
})
