import { attempt, Badge, Switch, Table, Tag, type Column } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { WebhookEndpoint } from './shapes.ts'

const mostNamed = 3

interface EndpointsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly opened: string | undefined
}

export function Endpoints({ endpoints, opened }: EndpointsProps) {
  const { api, router, world } = usePanel()
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      id: 'enabled',
      title: 'On',
      cell: ({ id, url, enabled }) => (
        <Switch
          label={`Deliver to ${url}`}
          showLabel={false}
          on={enabled}
          onChange={(next) => void attempt(() => api.changeRecord(world.name.value, 'webhooks', id, { enabled: next }))}
        />
      ),
    },
    {
      id: 'url',
      title: 'Receiver',
      cell: ({ url, enabled }) => <span class={`mono breaks ${enabled ? '' : 'muted'}`}>{url}</span>,
    },
    { id: 'events', title: 'Events', cell: ({ events }) => <EventList events={events} /> },
    { id: 'account', title: 'Account', isExtra: true, cell: ({ account }) => account },
    {
      id: 'app',
      title: 'App',
      isExtra: true,
      cell: ({ app }) => (app === null ? <span class="muted">all</span> : <span class="mono">{app}</span>),
    },
  ]
  return (
    <Table
      label="Endpoints"
      columns={columns}
      rows={endpoints}
      keyOf={({ id }) => id}
      opened={opened}
      onOpen={({ id }) => router.go({ rest: ['endpoints', id], params: { attempt: undefined } }, opened !== undefined)}
    />
  )
}

export function EventList({ events, whole = false }: { readonly events: readonly string[]; readonly whole?: boolean }) {
  const shown = whole ? events : events.slice(0, mostNamed)
  return (
    <span class="webhooks-events row">
      {shown.map((type) => (
        <Tag key={type}>{type}</Tag>
      ))}
      {events.length > shown.length && (
        <span class="muted" title={events.join(', ')}>
          and {events.length - shown.length} more
        </span>
      )}
      {events.length === 0 && <Badge tone="plain">none</Badge>}
    </span>
  )
}
