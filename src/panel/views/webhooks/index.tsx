import {
  attempt,
  Badge,
  Button,
  type Column,
  CopyButton,
  Detail,
  Dialog,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  FilterSelect,
  Link,
  Loaded,
  RelativeTime,
  Skeleton,
  Switch,
  Table,
  Tag,
  toast,
  type Tone,
  toPlural,
  useActions,
  useEscape,
  useKeys,
  ViewHead,
} from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { readEventTypes } from '../../data/api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { DeliverySummary, Grade } from '../../data/shapes.ts'
import { DeliveryView } from './delivery.tsx'
import {
  AttemptAnswer,
  DeliveryStatus,
  type WebhookEndpoint as EndpointShape,
  type WebhookEndpoint as Shape,
  type WebhookEndpoint,
} from './status.tsx'
import { Trigger } from './trigger.tsx'

const page = 100

const maxEndpoints = 200

export default function Webhooks() {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const { rest, params } = router.route.value
  const [part, id] = rest
  const { webhook, type, status, trigger } = params
  const limit = Number(params['limit']) || page
  const eventTypes = useResource(() => readEventTypes(api), [])
  const types = eventTypes.value.value ?? []
  const endpoints = useResource(
    () => api.records(name, 'webhooks', { limit: maxEndpoints, sort: '-created_at' }),
    [name],
    { reloadOn: ['records'] },
  )
  const deliveries = useResource(
    () => api.deliveries(name, { limit, webhook, type, status }),
    [name, webhook, type, status, limit],
    { reloadOn: ['delivery', 'records'] },
  )
  const close = () => router.go({ rest: [], params: { face: undefined, attempt: undefined } }, true)
  const closeTrigger = () => router.setParam('trigger', undefined)
  const open = () => router.setParam('trigger', 'webhook.test')
  useEscape(part !== undefined, close)
  useKeys([{ keys: 't', title: 'Trigger an event', run: open }])
  useActions([{ id: 'webhooks:trigger', title: 'Trigger an event…', keywords: 'webhook form', keys: 't', run: open }])
  const list = (endpoints.value.value?.data ?? []) as unknown as readonly EndpointShape[]
  const total = endpoints.value.value?.total ?? 0

  return (
    <>
      <ViewHead
        title="Webhooks"
        actions={
          <Button kind="primary" icon="plus" title="Sends an event to webhooks (t)" onClick={open}>
            Trigger an event
          </Button>
        }
      >
        <FilterSelect
          param="webhook"
          label="Endpoint"
          any="Any endpoint"
          options={list.map((one) => ({ value: one.id, title: one.url }))}
        />
        <FilterSelect param="type" label="Event" any="Any event" options={types} />
        <FilterSelect
          param="status"
          label="Status"
          any="Any status"
          options={['pending', 'succeeded', 'failed', 'lost']}
        />
      </ViewHead>
      <div class="split">
        <div class="split-list webhooks-lists">
          <section aria-label="Endpoints">
            <h2 class="webhooks-title">
              Endpoints <span class="count">{total || ''}</span>
            </h2>
            <Loaded resource={endpoints} lines={4}>
              {() =>
                list.length === 0 ? (
                  <EmptyState title="No endpoints yet">
                    Create one with <Link to={{ view: 'docs', rest: ['webhooks.create'] }}>webhooks.create</Link>: its
                    URL is where your receiver runs.
                  </EmptyState>
                ) : (
                  <Endpoints endpoints={list} opened={part === 'endpoints' ? id : undefined} />
                )
              }
            </Loaded>
            {total > list.length && (
              <p class="muted webhooks-more">
                The newest {list.length} of {total}.
              </p>
            )}
          </section>
          <section aria-label="Deliveries">
            <h2 class="webhooks-title">Deliveries</h2>
            <Loaded resource={deliveries} lines={8}>
              {(found) => (
                <>
                  <DeliveriesView
                    deliveries={found}
                    opened={part === 'deliveries' ? id : undefined}
                    isFiltered={webhook !== undefined || type !== undefined || status !== undefined}
                    onTrigger={open}
                  />
                  {found.length >= limit && (
                    <p class="webhooks-more">
                      <Button onClick={() => router.setParam('limit', String(limit + page))}>Show more</Button>
                    </p>
                  )}
                </>
              )}
            </Loaded>
          </section>
        </div>
        {part === 'deliveries' && id !== undefined && <DeliveryView key={id} id={id} onClose={close} />}
        {part === 'endpoints' && id !== undefined && <EndpointView key={id} id={id} onClose={close} />}
      </div>
      {trigger !== undefined &&
        (types.length > 0 ? (
          <Trigger key={trigger} types={types} endpoints={list} type={trigger} onClose={closeTrigger} />
        ) : (
          eventTypes.error.value && (
            <Dialog title="Trigger an event" onClose={closeTrigger}>
              <ErrorState error={eventTypes.error.value} onRetry={eventTypes.reload} />
            </Dialog>
          )
        ))}
    </>
  )
}

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

function DeliveriesView({ deliveries, opened, isFiltered, onTrigger }: DeliveriesProps) {
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

function EndpointView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const endpoint = useResource(
    () => api.record(name, 'webhooks', id) as Promise<unknown> as Promise<Shape>,
    [name, id],
    { reloadOn: ['records'] },
  )
  const value = endpoint.value.value
  const error = endpoint.error.value
  const isGone = error instanceof ApiFailure && error.status === 404
  return (
    <Detail label={`Endpoint ${id}`} titleKind="mono" title={value?.url ?? id} onClose={onClose}>
      {error && <ErrorState error={error} onRetry={isGone ? undefined : endpoint.reload} />}
      {!value && !error && <Skeleton lines={8} />}
      {value && !isGone && (
        <>
          <div class="row actions">
            <Switch
              label="Deliver to it"
              on={value.enabled}
              onChange={(enabled) => void attempt(() => api.changeRecord(name, 'webhooks', id, { enabled }))}
            />
            <span class="spacer" />
            <Button
              onClick={async () => {
                const { account, app, enabled, events } = value
                // The event would go to other endpoints of the account alone.
                if (!enabled || !events.includes('webhook.test'))
                  throw new Error(enabled ? 'It does not subscribe to webhook.test.' : 'It is off.')
                const made = await api.trigger(name, {
                  type: 'webhook.test',
                  account,
                  ...(app !== null && { app_id: app }),
                })
                const mine = made.find((one) => one.webhook_id === id)
                if (mine) router.go({ rest: ['deliveries', mine.id] })
              }}
            >
              Send webhook.test
            </Button>
            <Button icon="filter" onClick={() => router.setParam('webhook', id)}>
              Only its deliveries
            </Button>
          </div>
          <Facts kind="facts-lined">
            <Fact title="Id">
              <span class="mono">{id}</span> <CopyButton text={id} what="the id" />
            </Fact>
            <Fact title="Events">
              <EventList events={value.events} whole />
            </Fact>
            <Fact title="Account">{value.account}</Fact>
            <Fact title="App">{value.app ?? 'all of them'}</Fact>
            <Fact title="Secret">
              <span class="mono">{value.secret}</span> <span class="muted">its fingerprint</span>
            </Fact>
          </Facts>
          <GradeReport webhook={id} />
        </>
      )}
    </Detail>
  )
}

type Check = Grade['checks'][number]

const questions: Readonly<Record<Check['name'], string>> = {
  reachable: 'Accepts valid requests',
  'answers-in-time': 'Answers in time',
  'verifies-signatures': 'Refuses a wrong signature',
  'refuses-stale-timestamps': 'Refuses an old timestamp',
  idempotent: 'Answers a duplicate like the first',
}

const results: Readonly<Record<Check['result'], { readonly tone: Tone; readonly title: string }>> = {
  passed: { tone: 'good', title: 'passed' },
  failed: { tone: 'bad', title: 'failed' },
  unknown: { tone: 'plain', title: 'not known' },
}

function GradeReport({ webhook }: { readonly webhook: string }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const grade = useResource(() => api.grade(name, webhook), [name, webhook], { reloadOn: ['delivery', 'assumptions'] })
  const value = grade.value.value
  const examine = async () => {
    const { result } = await api.examine(name, webhook)
    grade.reload()
    toast({ text: `Examined: ${results[result].title}`, kind: result === 'failed' ? 'failed' : 'done' })
  }
  return (
    <section class="webhooks-report" aria-label="Receiver report">
      <div class="row">
        <h3>Receiver report</h3>
        {value && <Badge tone={results[value.result].tone}>{results[value.result].title}</Badge>}
        <span class="spacer" />
        <Button icon="play" onClick={examine}>
          Examine
        </Button>
      </div>
      <p class="muted">
        Examine sends four test requests at once: a valid event, the same again, one that is an hour old, and one with a
        wrong signature. They are not deliveries: they cause no retries, and never disable the endpoint.
      </p>
      <Loaded resource={grade} lines={5}>
        {({ checks }) => (
          <ul>
            {checks.map((check) => (
              <li key={check.name}>
                <div class="row">
                  <Badge tone={results[check.result].tone}>{results[check.result].title}</Badge>
                  <b>{questions[check.name]}</b>
                </div>
                <p>{check.why}</p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const maxNamed = 3

interface EndpointsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly opened: string | undefined
}

function Endpoints({ endpoints, opened }: EndpointsProps) {
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

function EventList({ events, whole = false }: { readonly events: readonly string[]; readonly whole?: boolean }) {
  const shown = whole ? events : events.slice(0, maxNamed)
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
