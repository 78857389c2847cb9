import { StatusBadge, Tag } from '../../components/index.ts'
import type { Api } from '../../data/api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { DueSummary } from '../../data/shapes.ts'

export function WorkOutcome({ task }: { readonly task: DueSummary }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const outcome = useResource(() => readOutcome(api, name, task), [name, task], { reloadOn: ['delivery', 'records'] })
  const value = outcome.value.value
  if (value === undefined) return null
  return (
    <>
      {value.answered !== undefined && <StatusBadge status={value.answered} />}
      {value.error !== undefined && <span class="muted">{value.error}</span>}
      {value.status !== undefined && <Tag>{value.status}</Tag>}
    </>
  )
}

interface Read {
  readonly answered?: number
  readonly error?: string
  readonly status?: string
}

async function readOutcome(api: Api, world: string, { subject, kind }: DueSummary): Promise<Read> {
  if (!subject || kind === 'quota') return {}
  if (subject.collection === 'deliveries') {
    const { attempts, status } = await api.delivery(world, subject.id)
    const last = attempts.at(-1)
    return { status, ...(last && { answered: last.status ?? 0, ...(last.error !== null && { error: last.error }) }) }
  }
  const record = await api.record(world, subject.collection, subject.id)
  const status = record['status'] ?? record['state']
  return typeof status === 'string' ? { status } : {}
}
