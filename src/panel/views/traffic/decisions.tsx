import { Badge, EmptyState, Table, type Column } from '../../components/index.ts'
import type { JournalEntry, Verdict } from '../../data/shapes.ts'

const columns: readonly Column<Verdict>[] = [
  {
    id: 'fired',
    title: 'Acted',
    cell: ({ fired }) => <Badge tone={fired ? 'note' : 'plain'}>{fired ? 'yes' : 'no'}</Badge>,
  },
  { id: 'scenario', title: 'Scenario', cell: ({ scenario }) => scenario },
  { id: 'effect', title: 'Effect', cell: ({ effect }) => <code>{effect}</code> },
  { id: 'why', title: 'Why', cell: ({ why }) => why },
]

export function Decisions({ entry: { verdicts, omitted = [] } }: { readonly entry: JournalEntry }) {
  if (omitted.includes('verdicts')) return <p class="muted">They were too large for the journal.</p>
  if (!verdicts || verdicts.length === 0)
    return (
      <EmptyState title="No scenario was active">Switch one on to see here what it did with each request.</EmptyState>
    )
  return (
    <Table
      label="Decisions"
      columns={columns}
      rows={verdicts}
      keyOf={({ scenario, effect }) => `${scenario} ${effect}`}
    />
  )
}
