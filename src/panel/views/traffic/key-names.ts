import type { Api } from '../../data/api.ts'
import type { JournalEntry } from '../../data/shapes.ts'

/** The names of a world's keys, by the fingerprints that the journal has in their place. A key that is no fixture's has none. */
export type KeyNames = ReadonlyMap<string, string>

/** Reads them; where that fails, there are none. */
export async function readKeyNames(api: Api, world: string): Promise<KeyNames> {
  const keys = await api.keys(world).catch(() => [])
  return new Map(keys.flatMap((key) => (key.name ? [[key.id, key.name] as const] : [])))
}

/** The name of the key that a request was sent with, or else its fingerprint; `undefined` where it was sent without one. */
export function keyOf({ request }: JournalEntry, names: KeyNames): string | undefined {
  const [, sent] = /^Bearer\s+(\S+)/i.exec(request.headers['authorization'] ?? '') ?? []
  return sent && (names.get(sent) ?? sent)
}
