import type { Api } from '../../data/api.ts'
import type { JournalEntry } from '../../data/shapes.ts'

/** Names of a world's keys, by the fingerprint that the journal shows instead of a key. Only keys from fixtures have names. */
export type KeyNames = ReadonlyMap<string, string>

export async function readKeyNames(api: Api, world: string): Promise<KeyNames> {
  const keys = await api.keys(world).catch(() => [])
  return new Map(keys.flatMap((key) => (key.name ? [[key.id, key.name] as const] : [])))
}

export function keyOf({ request }: JournalEntry, names: KeyNames): string | undefined {
  const [, sent] = /^Bearer\s+(\S+)/i.exec(request.headers['authorization'] ?? '') ?? []
  return sent && (names.get(sent) ?? sent)
}
