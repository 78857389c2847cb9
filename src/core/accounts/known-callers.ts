import { quote, suggest } from '../text/messages.ts'
import type { CollectionDefinition, RecordKey } from '../store/collection.ts'
import { toFingerprint } from '../secrets/fingerprint.ts'
import { type Account, accounts, type Key, keys } from './accounts.ts'
import type { PlanName } from './plans.ts'
import type { PlanLimits } from './rate-limit.ts'

interface Records<T extends object> {
  get(key: RecordKey): object | undefined
  all(): readonly Readonly<T>[]
}

export interface CallerSource {
  readonly name: string
  collection<T extends object>(definition: CollectionDefinition<T>): Records<T>
  initialRecordsOf<T extends object>(definition: CollectionDefinition<T>): Records<T>
}

const maxListedKeys = 12

const longestPlain = 40

export function missingAccount(world: Pick<CallerSource, 'collection'>, id: string): string | undefined {
  const stored = world.collection(accounts)
  if (stored.get(id)) return undefined
  const known = stored.all().map((account) => account.id)
  return `there is no account ${quote(id)}.${suggest(id, known)}`
}

export function missingOwner<T extends object>(
  world: Pick<CallerSource, 'collection'>,
  { owner }: CollectionDefinition<T>,
  record: T,
): string | undefined {
  const account = owner?.(record)
  return account === undefined ? undefined : missingAccount(world, account)
}

export function assertOwned<T extends object>(
  world: Pick<CallerSource, 'collection'>,
  definition: CollectionDefinition<T>,
  records: Iterable<T>,
): void {
  for (const record of records) {
    const missing = missingOwner(world, definition, record)
    if (missing !== undefined) throw new RangeError(`Failed to start with these ${definition.name}: ${missing}`)
  }
}

/** Returns a message if the world has no such key, without the key, which may be a secret; otherwise `undefined`. */
export function missingKey(world: CallerSource, secret: string): string | undefined {
  const stored = world.collection(keys)
  if (stored.get(secret)) return undefined
  const names = stored.all().flatMap((key) => (hasPlainName(world, key.secret) ? [key.secret] : []))
  const more = names.length > maxListedKeys ? ` and ${names.length - maxListedKeys} more` : ''
  const list = names.length > 0 ? ` It has ${names.slice(0, maxListedKeys).join(', ')}${more}.` : ''
  return `the world "${world.name}" has no such key.${suggest(secret, names)}${list}`
}

/** Returns the name of a key in explanations: the key itself if it comes from fixtures and consists of plain words, otherwise its fingerprint. */
export function nameKey(world: Pick<CallerSource, 'initialRecordsOf'>, secret: string): string {
  return hasPlainName(world, secret) ? secret : toFingerprint(secret)
}

export function hasPlainName(world: Pick<CallerSource, 'initialRecordsOf'>, secret: string): boolean {
  return isPlain(secret) && world.initialRecordsOf(keys).get(secret) !== undefined
}

/** Whether a key consists of lower-case words, as in the fixtures: no service creates such a secret. */
export function isPlain(secret: string): boolean {
  return secret.length <= longestPlain && /^[a-z_-]+$/.test(secret)
}

export interface Caller {
  readonly key: Readonly<Key>
  readonly account: Readonly<Account>
  readonly plan: PlanName
  readonly limits: PlanLimits
}

export function toSecret(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (!header.startsWith('Bearer ') && !/^bearer /i.test(header)) return undefined
  return header.slice('bearer '.length).trim() || undefined
}
