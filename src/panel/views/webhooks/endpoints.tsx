import type { ControlApi } from '../../../control/client/control-api.ts'
import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { Button, Switch, Dialog, Select } from '../../components/controls.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, Tag } from '../../components/marks.tsx'
import { change, toast } from '../../components/toast.tsx'
import {
  patchRecord,
  readRecords,
  type Grade,
  type JsonSchema,
  type RecordValue,
} from '../../data/control.ts'
import { type PanelResource, useAnswer, usePanel } from '../../data/panel.ts'
import { maxRows, Split, useOpened } from './split.tsx'
import { SchemaForm } from '../../components/form/schema-form.tsx'
import { toPlural } from '../../components/words.ts'

/** Endpoints of several accounts may have one URL. */
export const nameOfEndpoint = ({ url, account, app }: WebhookEndpoint) =>
  `${url} (${app ?? account})`

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { events: readonly string[] }

export async function readEndpoints(control: ControlApi) {
  const query = {
    limit: maxRows,
    sort: '-created_at',
  }
  return (await readRecords<WebhookEndpoint>(control, 'webhooks', query)).data
}

export function EndpointList({
  endpoints,
}: {
  endpoints: PanelResource<readonly WebhookEndpoint[]>
}) {
  const { id, close, ...opening } = useOpened('endpoints')
  const { value: known = [] } = endpoints
  const { url = id } = known.find((one) => one.id === id) ?? {}
  return (
    <Split
      count={known.length}
      detail={id !== undefined && <EndpointView key={id} id={id} url={url} onClose={close} />}
    >
      <Loaded resource={endpoints}>
        {(rows) =>
          rows.length > 0 ? (
            <Table label="Endpoints" columns={columns} rows={rows} {...opening} />
          ) : (
            <NoEndpoints />
          )
        }
      </Loaded>
    </Split>
  )
}

function NoEndpoints() {
  return (
    <EmptyState title="No endpoints yet">
      <Link to={{ view: 'traffic', params: { compose: 'webhooks.create' } }}>Create one</Link>: its
      URL is where your receiver runs.
    </EmptyState>
  )
}

const columns: readonly Column<WebhookEndpoint>[] = [
  {
    title: 'On',
    cell: (endpoint) => <DeliverySwitch of={endpoint} />,
  },
  {
    title: 'Receiver',
    cell: ({ url }) => <span class="mono breaks">{url}</span>,
  },
  {
    title: 'Events',
    cell: ({ events }) => events.map((type) => [<Tag key={type} text={type} />, ' ']),
  },
  {
    title: 'Account',
    isExtra: true,
    cell: ({ account }) => account,
  },
  {
    title: 'App',
    isExtra: true,
    cell: ({ app }) => app ?? 'all',
  },
]

function DeliverySwitch({ of: { id, url, enabled: on } }: { of: WebhookEndpoint }) {
  const panel = usePanel()
  const turn = (enabled: boolean) =>
    change(panel, `Switched its deliveries ${enabled ? 'on' : 'off'}`, (control) =>
      patchRecord(control, { collection: 'webhooks', id }, { enabled }),
    )
  return <Switch label={`Deliver to ${url}`} on={on} onChange={turn} />
}

function EndpointView({
  id,
  url,
  onClose,
}: {
  id: string
  url: string | undefined
  onClose: () => void
}) {
  const { control } = usePanel()
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

interface TriggerProps {
  type: string
  types: readonly string[]
  endpoints: readonly WebhookEndpoint[]
}

export function Trigger({ type, types, endpoints }: TriggerProps) {
  const { control, router } = usePanel()
  const close = () => router.setParam('trigger')
  const listening = endpoints
    .filter(({ enabled, events }) => enabled && events.includes(type))
    .map(nameOfEndpoint)
  const send = async ({ receiver, data }: RecordValue) => {
    const to = endpoints.find((one) => nameOfEndpoint(one) === receiver)
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
    router.go({
      rest: ['deliveries', first.id],
      params: { trigger: undefined },
    })
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
    enum: [...new Set(endpoints.map(nameOfEndpoint))],
  }
  const data: JsonSchema = {
    title: 'Data',
    description: 'JSON. Without it, the event is about the newest record that fits.',
    type: 'object',
  }
  return { properties: { receiver, data } }
}
