import { Button } from '../../components/controls.tsx'
import { useCommands } from '../../components/keys.ts'
import { FilterSelect, ViewHead } from '../../components/layout.tsx'
import { type Column, Table, type TableProps } from '../../components/lists.tsx'
import { RelativeTime } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { readEventTypes, type DeliverySummary } from '../../data/control.ts'
import { useAnswer, usePanel, useResource } from '../../data/panel.ts'
import { AttemptAnswer, DeliveryStatus, DeliveryView } from './delivery.tsx'
import {
  EndpointList,
  nameOfEndpoint,
  readEndpoints,
  type WebhookEndpoint,
  Trigger,
} from './endpoints.tsx'
import { maxRows, Split, useOpened } from './split.tsx'

export default function Webhooks() {
  const { control, router } = usePanel()
  const [list = 'deliveries'] = router.route.value.rest
  const { type, trigger } = router.params
  const types = useResource(() => readEventTypes(control), []).value ?? []
  const endpoints = useResource(() => readEndpoints(control), [], ['records'])
  const known = endpoints.value ?? []
  const ask = () => router.setParam('trigger', type ?? 'webhook.test')
  useCommands([{ keys: 't', title: 'Trigger an event', run: ask }], [type])
  return (
    <>
      <ViewHead
        title="Webhooks"
        parts={['Deliveries', 'Endpoints'].map((title) => toViewPart(title, list))}
        actions={
          <Button kind="primary" icon="plus" title="Key t" onClick={ask} text="Trigger an event" />
        }
      >
        {list === 'deliveries' && <WebhookFilters types={types} endpoints={known} />}
      </ViewHead>
      {list === 'endpoints' ? (
        <EndpointList endpoints={endpoints} />
      ) : (
        <DeliveryList onTrigger={ask} />
      )}
      {trigger !== undefined && types.length > 0 && (
        <Trigger type={trigger} types={types} endpoints={known} />
      )}
    </>
  )
}

function toViewPart(title: string, shown: string) {
  const part = title.toLowerCase()
  return {
    title,
    to: { rest: [part] },
    isShown: part === shown,
  }
}

const statuses = ['pending', 'succeeded', 'failed', 'lost']

function WebhookFilters({
  types,
  endpoints,
}: {
  types: readonly string[]
  endpoints: readonly WebhookEndpoint[]
}) {
  const receivers = endpoints.map((one) => ({
    value: one.id,
    title: nameOfEndpoint(one),
  }))
  return (
    <>
      <FilterSelect param="webhook" label="Endpoint" options={receivers} />
      <FilterSelect param="type" label="Event" options={types} />
      <FilterSelect param="status" label="Status" options={statuses} />
    </>
  )
}

function DeliveryList({ onTrigger }: { onTrigger: () => void }) {
  const { webhook, type, status } = usePanel().router.params
  const { id, close, ...opening } = useOpened('deliveries')
  const query = {
    limit: maxRows,
    webhook,
    type,
    status,
  }
  const found = useAnswer('GET /worlds/{world}/deliveries', query, ['delivery', 'records'])
  return (
    <Split
      count={found.value?.data.length}
      detail={id !== undefined && <DeliveryView key={id} id={id} onClose={close} />}
    >
      <Loaded resource={found}>
        {({ data }) => <Deliveries rows={data} {...opening} onTrigger={onTrigger} />}
      </Loaded>
    </Split>
  )
}

const deliveryColumns: readonly Column<DeliverySummary>[] = [
  {
    title: 'Status',
    cell: (delivery) => <DeliveryStatus delivery={delivery} />,
  },
  {
    title: 'Event',
    cell: ({ type }) => <b class="nowrap">{type}</b>,
  },
  {
    title: 'Receiver',
    isExtra: true,
    cell: ({ url, webhook }) => (
      <span class="data-cell clip" title={url ?? webhook}>
        {url ?? webhook}
      </span>
    ),
  },
  {
    title: 'Last answer',
    isExtra: true,
    cell: ({ attempts }) => <AttemptAnswer attempt={attempts.at(-1)} />,
  },
  {
    title: 'Attempts',
    isExtra: true,
    cell: ({ attempts }) => attempts.length,
  },
  {
    title: 'Next attempt',
    isExtra: true,
    cell: ({ next_attempt_at: at }) => at !== null && <RelativeTime at={at} />,
  },
  {
    title: 'Happened',
    align: 'end',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]

type DeliveriesProps = Omit<TableProps<DeliverySummary>, 'label' | 'columns'> & {
  onTrigger: () => void
}

function Deliveries({ rows, onTrigger, ...list }: DeliveriesProps) {
  const { router } = usePanel()
  const { webhook, type, status } = router.params
  if (rows.length > 0)
    return (
      <Table label="Deliveries, the newest first" columns={deliveryColumns} rows={rows} {...list} />
    )
  const clear = () =>
    router.go({
      params: {
        webhook: undefined,
        type: undefined,
        status: undefined,
      },
    })
  return webhook || type || status ? (
    <EmptyState title="No delivery matches the filter" action="Clear the filter" onAction={clear} />
  ) : (
    <EmptyState
      title="Nothing was delivered yet"
      action="Trigger an event"
      onAction={onTrigger}
      text="Events of this world appear here, with every attempt to deliver them."
    />
  )
}
