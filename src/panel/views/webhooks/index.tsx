import type { ControlApi } from '../../../control/client/control-api.ts'
import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { Button, Select, Switch, Dialog } from '../../components/controls.tsx'
import { SchemaForm } from '../../components/form/schema-form.tsx'
import { useCommands } from '../../components/keys.ts'
import { Detail, FilterSelect, Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table, type TableProps } from '../../components/lists.tsx'
import { Badge, RelativeTime, Tag } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { change, toast } from '../../components/toast.tsx'
import { toPlural } from '../../components/words.ts'
import { patchRecord, readEventTypes, readRecords } from '../../data/control.ts'
import { useAnswer, usePanel, useResource } from '../../data/panel.ts'
import type { DeliverySummary, Grade, JsonSchema, RecordValue } from '../../data/shapes.ts'
import { AttemptAnswer, DeliveryStatus, DeliveryView } from './delivery.tsx'

/** How many of each list are shown, the newest first; the filters find the others. */
const limit = 200

export default function Webhooks() {
  const { control, router } = usePanel()
  const { rest, params } = router.route.value
  const [list = 'deliveries', id] = rest
  const { webhook, type, status, trigger } = params
  const types = useResource(() => readEventTypes(control), []).value ?? []
  const endpoints = useResource(() => readEndpoints(control), [], ['records'])
  const query = { limit, webhook, type, status }
  const deliveries = useAnswer('GET /worlds/{world}/deliveries', query, ['delivery', 'records'])
  const known = endpoints.value ?? []
  const close = () => router.go({ rest: [list] }, true)
  const open = ({ id }: { id: string }) => router.go({ rest: [list, id] }, rest.length > 1)
  const shared = { keyOf: ({ id }: { id: string }) => id, opened: id, onOpen: open }
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
      <div class="split">
        <div class="split-list">
          {list === 'endpoints' ? (
            <Loaded resource={endpoints}>{(rows) => <Endpoints rows={rows} {...shared} />}</Loaded>
          ) : (
            <Loaded resource={deliveries}>
              {({ data }) => <Deliveries rows={data} {...shared} onTrigger={ask} />}
            </Loaded>
          )}
          {(list === 'endpoints' ? known : deliveries.value?.data)?.length === limit && (
            <p>The newest {limit}.</p>
          )}
        </div>
        {id !== undefined && list !== 'endpoints' && (
          <DeliveryView key={id} id={id} onClose={close} />
        )}
        {id !== undefined && list === 'endpoints' && (
          <EndpointView key={id} id={id} endpoints={known} onClose={close} />
        )}
      </div>
      {trigger !== undefined && types.length > 0 && (
        <Trigger type={trigger} types={types} endpoints={known} />
      )}
    </>
  )
}

function toViewPart(title: string, shown: string) {
  const part = title.toLowerCase()
  return { title, to: { rest: [part] }, isShown: part === shown }
}

async function readEndpoints(control: ControlApi) {
  const query = { limit, sort: '-created_at' }
  return (await readRecords<WebhookEndpoint>(control, 'webhooks', query)).data
}

const statuses = ['pending', 'succeeded', 'failed', 'lost']

type FiltersProps = { types: readonly string[]; endpoints: readonly WebhookEndpoint[] }

function WebhookFilters({ types, endpoints }: FiltersProps) {
  const receivers = endpoints.map((one) => ({ value: one.id, title: nameOf(one) }))
  return (
    <>
      <FilterSelect param="webhook" label="Endpoint" options={receivers} />
      <FilterSelect param="type" label="Event" options={types} />
      <FilterSelect param="status" label="Status" options={statuses} />
    </>
  )
}

type ListProps<T> = Omit<TableProps<T>, 'label' | 'columns'>

const deliveryColumns: readonly Column<DeliverySummary>[] = [
  { title: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { title: 'Event', cell: ({ type }) => <b class="nowrap">{type}</b> },
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
  { title: 'Attempts', isExtra: true, cell: ({ attempts }) => attempts.length },
  {
    title: 'Next attempt',
    isExtra: true,
    cell: ({ next_attempt_at: at }) => at !== null && <RelativeTime at={at} />,
  },
  { title: 'Happened', align: 'end', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

function Deliveries({
  rows,
  onTrigger,
  ...list
}: ListProps<DeliverySummary> & { onTrigger: () => void }) {
  const { router } = usePanel()
  const { webhook, type, status } = router.params
  if (rows.length > 0)
    return (
      <Table label="Deliveries, the newest first" columns={deliveryColumns} rows={rows} {...list} />
    )
  const clear = () =>
    router.go({ params: { webhook: undefined, type: undefined, status: undefined } })
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

function Endpoints({ rows, ...list }: ListProps<WebhookEndpoint>) {
  const panel = usePanel()
  const turn = (id: string, enabled: boolean) =>
    change(panel, `Switched its deliveries ${enabled ? 'on' : 'off'}`, (control) =>
      patchRecord(control, { collection: 'webhooks', id }, { enabled }),
    )
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      title: 'On',
      cell: ({ id, url, enabled }) => (
        <Switch label={`Deliver to ${url}`} on={enabled} onChange={(next) => turn(id, next)} />
      ),
    },
    { title: 'Receiver', cell: ({ url }) => <span class="mono breaks">{url}</span> },
    {
      title: 'Events',
      cell: ({ events }) => events.map((type) => [<Tag key={type} text={type} />, ' ']),
    },
    { title: 'Account', isExtra: true, cell: ({ account }) => account },
    { title: 'App', isExtra: true, cell: ({ app }) => app ?? 'all' },
  ]
  if (rows.length === 0)
    return (
      <EmptyState title="No endpoints yet">
        <Link to={{ view: 'traffic', params: { compose: 'webhooks.create' } }}>Create one</Link>:
        its URL is where your receiver runs.
      </EmptyState>
    )
  return <Table label="Endpoints" columns={columns} rows={rows} {...list} />
}

type TriggerProps = FiltersProps & { type: string }

function Trigger({ type, types, endpoints }: TriggerProps) {
  const { control, router } = usePanel()
  const close = () => router.setParam('trigger')
  const listening = endpoints
    .filter(({ enabled, events }) => enabled && events.includes(type))
    .map(nameOf)
  const send = async ({ receiver, data }: RecordValue) => {
    const to = endpoints.find((one) => nameOf(one) === receiver)
    const { data: made } = await control.call('POST /worlds/{world}/events', {
      type,
      data: data as RecordValue | undefined,
      account: to?.account,
      app_id: to?.app ?? undefined,
    })
    const [first] = made
    if (!first)
      throw new Error(
        `${type} was sent to nobody: no enabled webhook of this account subscribes to it.`,
      )
    toast(`${type} goes to ${toPlural(made.length, 'endpoint')}`)
    router.go({ rest: ['deliveries', first.id], params: { trigger: undefined } })
  }
  return (
    <Dialog title="Trigger an event" width="wide" onClose={close}>
      <Select
        label="Event"
        value={type}
        options={types}
        onChange={(chosen) => router.setParam('trigger', chosen)}
      />
      <p class="muted breaks above below">
        {listening.length === 0
          ? 'No enabled webhook subscribes to it: nobody will get it.'
          : `Listening: ${listening.join('; ')}`}
      </p>
      <SchemaForm
        key={type}
        schema={toTriggerSchema(endpoints)}
        value={{}}
        action="Trigger"
        onSubmit={send}
        onCancel={close}
      />
    </Dialog>
  )
}

function toTriggerSchema(endpoints: readonly WebhookEndpoint[]): JsonSchema {
  const receiver: JsonSchema = {
    title: 'Receiver',
    description:
      'The event is about its account and its app. Other endpoints that listen to them get it, too.',
    enum: [...new Set(endpoints.map(nameOf))],
  }
  const data: JsonSchema = {
    title: 'Data',
    description: 'JSON. Without it, the event is about the newest record that fits.',
    type: 'object',
  }
  return { properties: { receiver, data } }
}

/** Endpoints of several accounts may have one URL. */
const nameOf = ({ url, account, app }: WebhookEndpoint) => `${url} (${app ?? account})`

/** A webhook as the panel reads it: the secret is its fingerprint. */
type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { events: readonly string[] }

function EndpointView({
  id,
  endpoints,
  onClose,
}: {
  id: string
  endpoints: readonly WebhookEndpoint[]
  onClose: () => void
}) {
  const { control } = usePanel()
  const { url = id } = endpoints.find((one) => one.id === id) ?? {}
  const grade = useAnswer('GET /worlds/{world}/webhooks/{id}/grade', { id }, [
    'delivery',
    'assumptions',
  ])
  const examine = async () => {
    const { result } = await control.call('POST /worlds/{world}/webhooks/{id}/grade', { id })
    grade.reload()
    toast(`Examined: ${result}`, { hasFailed: result === 'failed' })
  }
  return (
    <Detail label={`Endpoint ${id}`} titleKind="mono" title={url} onClose={onClose}>
      <p class="row below">
        <Link to={{ rest: [], params: { webhook: id } }}>Its deliveries</Link>
        <Link to={{ view: 'data', rest: ['webhooks', id] }}>Its record</Link>
      </p>
      <section aria-label="Receiver report">
        <div class="row">
          <h3>Receiver report</h3>
          {grade.value && <Badge text={grade.value.result} />}
          <span class="spacer" />
          <Button icon="play" onClick={examine} text="Examine" />
        </div>
        <p class="muted below">
          Examine sends four test requests at once: a valid event, the same again, one that is an
          hour old, and one with a wrong signature. They are not deliveries: they cause no retries,
          and never disable the endpoint.
        </p>
        <Loaded resource={grade}>{({ checks }) => <Checks checks={checks} />}</Loaded>
      </section>
    </Detail>
  )
}

function Checks({ checks }: { checks: readonly ReceiverCheck[] }) {
  return (
    <ul>
      {checks.map(({ name, result, why }) => (
        <li class="below" key={name}>
          <Badge text={result} /> <b>{questions[name]}</b>
          <p>{why}</p>
        </li>
      ))}
    </ul>
  )
}

type ReceiverCheck = Grade['checks'][number]

const questions: Record<ReceiverCheck['name'], string> = {
  reachable: 'Accepts valid requests',
  'answers-in-time': 'Answers in time',
  'verifies-signatures': 'Rejects a wrong signature',
  'refuses-stale-timestamps': 'Rejects an old timestamp',
  idempotent: 'Answers a duplicate like the first',
}
