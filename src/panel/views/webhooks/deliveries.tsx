import { Button, EmptyState, RelativeTime, Table, toPlural, type Column } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { DeliverySummary } from '../../data/shapes.ts'
import { AttemptAnswer, DeliveryStatus } from './status.tsx'

interface DeliveriesProps {
  readonly deliveries: readonly DeliverySummary[]
  readonly opened: string | undefined
  readonly isFiltered: boolean
  readonly onTrigger: () => void
}

const columns: readonly Column<DeliverySummary>[] = [
  { id: 'status', title: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { id: 'type', title: 'Event', cell: ({ type }) => <b class="webhooks-type">{type}</b> },
  {
    id: 'url',
    title: 'Receiver',
    isExtra: true,
    cell: ({ url, webhook }) => <span class="mono breaks">{url ?? webhook}</span>,
  },
  {
    id: 'answer',
    title: 'Last answer',
    cell: ({ attempts }) => {
      const last = attempts.at(-1)
      if (!last) return <span class="muted">none yet</span>
      return (
        <span class="row webhooks-answer">
          <AttemptAnswer attempt={last} />
          <span class="muted">{toPlural(attempts.length, 'attempt')}</span>
        </span>
      )
    },
  },
  {
    id: 'next',
    title: 'Next attempt',
    isExtra: true,
    cell: ({ next_attempt_at }) => (next_attempt_at === null ? '' : <RelativeTime at={next_attempt_at} />),
  },
  { id: 'at', title: 'Happened', align: 'end', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

export function DeliveriesView({ deliveries, opened, isFiltered, onTrigger }: DeliveriesProps) {
  const { router } = usePanel()
  if (deliveries.length === 0)
    return isFiltered ? (
      <EmptyState title="No delivery matches the filter">
        <Button onClick={() => router.go({ params: { webhook: undefined, type: undefined, status: undefined } })}>
          Clear the filter
        </Button>
      </EmptyState>
    ) : (
      <EmptyState title="Nothing was delivered yet">
        <p>Events of this world appear here, with every attempt to deliver them.</p>
        <Button onClick={onTrigger}>Trigger an event</Button>
      </EmptyState>
    )
  return (
    <Table
      label="Deliveries, the newest first"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      opened={opened}
      onOpen={({ id }) => router.go({ rest: ['deliveries', id], params: { attempt: undefined } }, opened !== undefined)}
    />
  )
}
