import type { CollectionDefinition } from '../../core/store/collection.ts'
import { definitions } from '../assembly/catalogue.ts'

export type Collection = CollectionDefinition<object>

export interface WithCollections {
  readonly collections: readonly CollectionDefinition<never>[]
}

export function collectionNamed(of: WithCollections, name: string): Collection | undefined {
  return allCollections(of).find((known) => known.name === name)
}

export function allCollections({ collections }: WithCollections): readonly Collection[] {
  // The world may come from the other build of the package, which has its own schemas of the same collections.
  const all = collections.map((one) => (one.isOwn ? one : (definitions[one.name as keyof typeof definitions] ?? one)))
  return all as unknown as readonly Collection[]
}

export function relationsOf({ owner, refers }: Collection): Readonly<Record<string, string>> {
  return { ...(owner && { account: 'accounts' }), ...refers }
}

export function fieldOf(read: (record: object) => unknown): string {
  let field = ''
  read(new Proxy({}, { get: (_, name) => void (field = String(name)) }))
  return field
}
