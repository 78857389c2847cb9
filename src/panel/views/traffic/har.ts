import { signal } from '@preact/signals'
import { downloadText, pretty, toast } from '../../components/index.ts'
import type { Api } from '../../data/api.ts'

export const harEntries = signal<ReadonlySet<number>>(new Set())

export function toggleHarEntry(id: number): void {
  const chosen = new Set(harEntries.value)
  if (!chosen.delete(id)) chosen.add(id)
  harEntries.value = chosen
}

export async function saveCase(api: Api, world: string, until?: number): Promise<void> {
  downloadText(`${world}.case.json`, pretty(await api.case(world, until)), 'application/json')
}

export async function saveHar(api: Api, world: string, ids?: ReadonlySet<number>): Promise<void> {
  const { log } = await api.har(world)
  const entries = ids ? log.entries.filter(({ _greenhouse: { id } }) => ids.has(id)) : log.entries
  const found = new Set(entries.map(({ _greenhouse: { id } }) => id))
  const gone = [...(ids ?? [])].filter((id) => !found.has(id))
  if (gone.length > 0) toast({ text: `Not in the HAR, the journal dropped them: ${gone.join(', ')}`, kind: 'failed' })
  if (!ids || found.size > 0) downloadText(`${world}.har`, pretty({ log: { ...log, entries } }), 'application/json')
}
