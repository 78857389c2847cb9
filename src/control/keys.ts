import { accounts, hasPlainName, type Key } from '../core/accounts/accounts.ts'
import { quote, suggest } from '../core/text/messages.ts'
import { toFingerprint } from '../core/secrets/secret-finder.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { quotaOfKey } from '../api/inspect/accounts.ts'
import { liveOf, type World } from '../api/world.ts'
import type { ChunksAnswer } from './answer.ts'
import type { KeySummary, List, NewKey } from './answers.ts'
import { check } from './body.ts'
import type { Call } from './call.ts'
import { ControlError } from './errors.ts'
import { toListChunks } from './turns.ts'
import { keyChangesSchema, newKeySchema } from './schemas.ts'

export function listKeys({ world }: Call): ChunksAnswer<List<KeySummary>> {
  const live = liveOf(world)
  return { chunks: toListChunks(world.records.keys.all(), (key) => showKey(live, key), '', 500) }
}

export async function createKey(world: World, { greenhouse, body }: Call): Promise<NewKey> {
  const key = await world.createKey(check(greenhouse.catalogue.open(newKeySchema), body))
  return { ...showKey(liveOf(world), key), secret: key.secret }
}

export async function changeKey(world: World, call: Call): Promise<KeySummary> {
  const changes = check(keyChangesSchema, call.body)
  const key = findKey(world, call.param('id'))
  const { expires_at } = changes
  const changed = await world.records.keys.update(key.secret, {
    ...changes,
    ...(expires_at === null && { expires_at: undefined }),
  } as Partial<Key>)
  return showKey(liveOf(world), changed!)
}

export function deleteKey(world: World, id: string): void {
  world.records.keys.delete(findKey(world, id).secret)
}

function findKey(world: World, id: string): Readonly<Key> {
  const known = world.records.keys.all()
  const key = known.find((one) => fingerprintOf(one) === id)
  if (key) return key
  throw new ControlError(
    404,
    'unknown_key',
    `There is no key ${quote(id)} in the world "${world.name}". Send its "id", from GET /__greenhouse/worlds/${world.name}/keys.${suggest(id, known.map(fingerprintOf))}`,
  )
}

const fingerprints = new WeakMap<Readonly<Key>, string>()

/** Returns the fingerprint of a stored key, cached, because a call searches all keys of a world, which may be thousands. */
export function fingerprintOf(key: Readonly<Key>): string {
  let fingerprint = fingerprints.get(key)
  if (fingerprint === undefined) fingerprints.set(key, (fingerprint = toFingerprint(key.secret)))
  return fingerprint
}

export function showKey(live: LiveWorld, key: Readonly<Key>): KeySummary {
  const { secret, account, scopes, expires_at, revoked } = key
  const owner = live.collection(accounts).get(account)
  return {
    id: fingerprintOf(key),
    name: hasPlainName(live, secret) ? secret : null,
    account,
    plan: owner?.plan ?? null,
    scopes: scopes ?? (live.scopes as Key['scopes'] & {}),
    expires_at: expires_at ?? null,
    revoked: revoked ?? false,
    quota: owner ? quotaOfKey(live, key, owner) : null,
  }
}
