import { signal } from '@preact/signals'
import { downloadText, pretty } from '../../components/index.ts'
import type { Api } from '../../data/api.ts'
import type { Har } from '../../data/shapes.ts'

/** The ids of the entries that are selected for an HTTP Archive. */
export const harEntries = signal<ReadonlySet<number>>(new Set())

/** Selects an entry, or removes it from the selection. */
export function toggleHarEntry(id: number): void {
  const chosen = new Set(harEntries.value)
  if (!chosen.delete(id)) chosen.add(id)
  harEntries.value = chosen
}

/** Downloads a world as a case, up to an entry or whole. */
export async function saveCase(api: Api, world: string, until?: number): Promise<void> {
  downloadText(`${world}.case.json`, pretty(await api.case(world, until)), 'application/json')
}

/** Reads the journal of a world as an HTTP Archive, with `ids` only these entries. */
export async function harOf(api: Api, world: string, ids?: ReadonlySet<number>): Promise<Har> {
  const har = await api.har(world)
  if (!ids) return har
  return { log: { ...har.log, entries: har.log.entries.filter(({ _greenhouse: { id } }) => ids.has(id)) } }
}
