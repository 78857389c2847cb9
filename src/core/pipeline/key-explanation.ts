import { keys, type Key, type Scope } from '../accounts/accounts.ts'
import { isPlain, nameKey } from '../accounts/known-callers.ts'
import { toTimestamp } from '../time/time-text.ts'
import type { Exchange } from './exchange.ts'
import type { Explanation } from '../definitions/explanation.ts'
import { toFingerprint } from '../store/fingerprint.ts'
import { suggest } from '../definitions/suggest.ts'
import type { CoreWorld } from '../world/world.ts'

export function explainKey({ world, effects, now }: Exchange, secret: string): Explanation {
  const stored = world.collection(keys).get(secret)
  if (!stored) return () => explainUnknown(world, secret)
  const explain = (rest: string) => () => nameKey(world, secret) + rest
  let key: Readonly<Key> = stored
  for (const effect of effects.for('key')) {
    const changed = effect.key(key, now)
    if (changed === 'unknown') return explain(` is unknown, by the scenario ${effect.scenario}`)
    if (changed === 'lost') return () => `The scenario ${effect.scenario} removed the key from the request`
    const invalidity = invalidityOf(changed, now)
    if (invalidity !== undefined && invalidityOf(key, now) === undefined)
      return explain(`${invalidity}, by the scenario ${effect.scenario}`)
    key = changed
  }
  return explain(invalidityOf(key, now) ?? ` belongs to the account ${key.account}, which does not exist`)
}

export function explainMissingKey({ request, effects, now, secret }: Exchange): Explanation {
  const effect = effects.for('key').find((effect) => effect.key({ secret: secret ?? '', account: '' }, now) === 'lost')
  if (effect) return `The scenario ${effect.scenario} removed the key from the request`
  if (request.headers['authorization'] === undefined) return 'The request has no Authorization header'
  return secret === undefined
    ? 'The Authorization header is not "Bearer <API_KEY>"'
    : 'The scheme of the Authorization header is not written "Bearer", and auth.scheme-case is exact'
}

export function explainScope(
  { world, effects, now }: Exchange,
  secret: string,
  scopes: readonly Scope[],
  scope: Scope,
): Explanation {
  const stored = world.collection(keys).get(secret)
  const revoker =
    stored && (!stored.scopes || stored.scopes.includes(scope))
      ? effects.for('key').find((effect) => lacks(effect.key(stored, now), scope))
      : undefined
  const by = revoker ? `, by the scenario ${revoker.scenario}` : ''
  return () =>
    `scope ${scope} missing: ${nameKey(world, secret)} has ${scopes.length > 0 ? scopes.join(', ') : 'none'}${by}`
}

function lacks(key: Readonly<Key> | 'unknown' | 'lost', scope: Scope): boolean {
  return typeof key === 'object' && key.scopes !== undefined && !key.scopes.includes(scope)
}

function invalidityOf({ revoked, expires_at }: Readonly<Key>, now: number): string | undefined {
  if (revoked) return ' is revoked'
  return expires_at !== undefined && toTimestamp(expires_at) <= now ? ` expired at ${expires_at}` : undefined
}

/**
 * Explains an unknown key. A plain key that is close to a known one is a typo and may be quoted; any other key may be a
 * secret of another service.
 */
function explainUnknown(world: CoreWorld, secret: string): string {
  const known = world
    .seedOf(keys)
    .all()
    .map((key) => key.secret)
    .filter(isPlain)
  const suggestion = suggest(secret, known)
  const where = world.name === 'default' ? '' : ` in the world ${world.name}`
  return `${suggestion !== '' && isPlain(secret) ? secret : toFingerprint(secret)}: no such key${where}${suggestion === '' ? '' : `.${suggestion}`}`
}
