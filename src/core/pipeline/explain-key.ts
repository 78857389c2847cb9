import { isPlainKey, type Key, keys, nameKey } from '../accounts/accounts.ts'
import type { Explanation } from '../contract/errors.ts'
import { toFingerprint } from '../secrets/known-secrets.ts'
import { describeClause, suggest } from '../text/messages.ts'
import type { LiveWorld } from '../world/live-world.ts'

// Each sentence is made in a function that sees only what it needs: the journal keeps what is in
// its scope.

export function explainMissingKey(
  header: string | undefined,
  secret: string | undefined,
  scenario: string | undefined,
): string {
  if (scenario !== undefined) return `The scenario ${scenario} removed the key from the request`
  if (header === undefined) return 'The request has no Authorization header'
  if (secret === undefined) return 'The Authorization header is not "Bearer <API_KEY>"'
  return 'The scheme of the Authorization header is not written "Bearer", and auth.scheme-case is exact'
}

export function explainRejectedKey(
  world: LiveWorld,
  secret: string,
  {
    reason,
    scenario,
  }: {
    readonly reason?: string
    readonly scenario?: string
  },
): Explanation {
  if (reason === undefined) return () => explainUnknown(world, secret)
  return () => `${nameKey(world, secret)} ${reason}${describeCause(scenario)}`
}

export function explainScope(
  world: LiveWorld,
  { secret, scopes }: Readonly<Key>,
  scope: string,
  scenario: string | undefined,
): Explanation {
  return () =>
    `scope ${scope} missing: ${nameKey(world, secret)} has ${scopes?.join(', ') || 'none'}${describeCause(scenario)}`
}

export function describeCause(scenario: string | undefined): string {
  if (scenario === undefined) return ''
  return `, by the scenario ${scenario}`
}

/**
 * A plain key close to a known one is a typo and may be quoted; any other may be another service's
 * secret.
 */
function explainUnknown(world: LiveWorld, secret: string): string {
  const known = world
    .initialRecordsOf(keys)
    .all()
    .map((key) => key.secret)
    .filter(isPlainKey)
  const isTypo = isPlainKey(secret) && suggest(secret, known) !== ''
  const name = isTypo ? secret : toFingerprint(secret)
  const where = world.name === 'default' ? '' : ` in the world ${world.name}`
  return describeClause(`${name}: no such key${where}`, secret, known)
}
