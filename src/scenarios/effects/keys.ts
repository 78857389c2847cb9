import * as z from 'zod/mini'
import { scopes, addImpliedScopes, type Key, type Scope } from '../../core/accounts/accounts.ts'
import type { KeyChange } from '../../core/pipeline/effect.ts'
import { toIso, toMilliseconds, toTimestamp } from '../../core/time/time-text.ts'
import { defineEffect } from '../language/effect-kind.ts'
import type { Activation } from '../language/condition.ts'
import { optional } from '../../core/contract/zod.ts'
import { countGiven, durationSchema } from '../language/fields.ts'

const fields = {
  expire: optional(
    durationSchema,
    'The keys expire this long after the scenario is switched on: 10m.',
  ),
  revoke: optional(z.literal(true), 'The keys are revoked.'),
  forget: optional(z.literal(true), 'The service does not know the keys.'),
  lose: optional(z.literal(true), 'Requests are answered as if they carried no key.'),
  scopes: optional(z.array(z.enum(scopes)), 'The only scopes that the keys keep.'),
  without: optional(z.enum(scopes), 'The scope that the keys lose.'),
}

export const keysEffect = defineEffect({
  name: 'keys',
  description:
    'Makes keys expired, revoked, unknown or missing, or takes scopes from them. Set one of expire, revoke, forget, lose, scopes and without.',
  actsOn: 'everything',
  fields,
  check({ expire, revoke, forget, lose, scopes, without }) {
    if (countGiven(expire, revoke, forget, lose, scopes, without) === 1) return undefined
    return 'expected one of "expire: <duration>", "revoke: true", "forget: true", "lose: true", "scopes: [...]" and "without: <scope>"'
  },
  create: (spec, { activation }) => ({
    did: 'changed the key',
    keyChange: toChange(spec, activation),
  }),
})

function toChange(
  { expire, revoke, forget, scopes: allowed, without }: z.output<z.ZodMiniObject<typeof fields>>,
  activation: Activation,
): KeyChange {
  const all = activation.contract.scopes as readonly Scope[]
  const keep = (isKept: (scope: Scope) => boolean) => (key: Readonly<Key>) => ({
    ...key,
    scopes: (key.scopes ?? all).filter(isKept),
  })
  if (expire !== undefined)
    return toExpiry(toTimestamp(toIso(activation.now + toMilliseconds(expire))))
  if (revoke)
    return (key) => ({
      ...key,
      revoked: true,
    })
  if (forget) return 'unknown'
  if (allowed) {
    const permitted = addImpliedScopes(allowed)
    return keep((scope) => permitted.includes(scope))
  }
  if (without) return keep((scope) => scope !== without)
  return 'lost'
}

function toExpiry(at: number) {
  return (key: Readonly<Key>, now: number) => {
    if (now < at || (key.expires_at !== undefined && toTimestamp(key.expires_at) < at)) return key
    return {
      ...key,
      expires_at: toIso(at),
    }
  }
}
