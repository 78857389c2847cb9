import { Badge, Button, RelativeTime, Table, type Column } from '../../components/index.ts'
import type { DueSummary } from '../../data/shapes.ts'
import { kindOf } from './kinds.ts'
import { Subject } from './subject.tsx'

interface DueTableProps {
  readonly due: readonly DueSummary[]
  readonly onRunTo: (at: string) => Promise<void>
}

export function DueTable({ due, onRunTo }: DueTableProps) {
  const columns: readonly Column<DueSummary>[] = [
    { id: 'when', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
    { id: 'at', title: 'At (UTC)', isExtra: true, cell: ({ at }) => <span class="muted time-at">{toShort(at)}</span> },
    {
      id: 'kind',
      title: 'Kind',
      isExtra: true,
      cell: ({ kind }) => <Badge tone={kindOf(kind).tone}>{kindOf(kind).title}</Badge>,
    },
    { id: 'title', title: 'What happens', cell: ({ title }) => <span class="breaks">{title}</span> },
    { id: 'about', title: 'About', isExtra: true, cell: ({ subject }) => <Subject subject={subject} /> },
    {
      id: 'run',
      title: 'Clock',
      align: 'end',
      cell: ({ at, title }) => (
        <Button
          kind="quiet"
          label={`Run to here: ${title}`}
          title={`Set the clock to ${at}`}
          onClick={() => onRunTo(at)}
        >
          Run to here
        </Button>
      ),
    },
  ]
  return <Table label="What is due" columns={columns} rows={due} keyOf={({ at, title }) => `${at} ${title}`} />
}

function toShort(at: string): string {
  return at.slice(0, 19).replace('T', ' ')
}
