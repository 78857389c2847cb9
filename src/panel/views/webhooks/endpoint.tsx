import { patchRecord, readRecord } from '../../data/control.ts'
import type { Webhook } from '../../../areas/apps/webhooks/schemas.ts'
import { Fact, Facts } from '../../components/content.tsx'
import { Button, CopyButton, Switch } from '../../components/controls.tsx'
import { Detail } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, Tag, type Tone } from '../../components/marks.tsx'
import { ErrorState, Loaded, Skeleton } from '../../components/states.tsx'
import { attempt, toast } from '../../components/toast.tsx'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { Grade } from '../../data/shapes.ts'
import { CallError } from '../../../control/client/errors.ts'

interface EndpointsProps {
  readonly endpoints: readonly WebhookEndpoint[]
  readonly opened: string | undefined
}

export function Endpoints({ endpoints, opened }: EndpointsProps) {
  const { control, router } = usePanel()
  const columns: readonly Column<WebhookEndpoint>[] = [
    {
      id: 'enabled',
      title: 'On',
      cell: ({ id, url, enabled }) => (
        <Switch
          label={`Deliver to ${url}`}
          showLabel={false}
          on={enabled}
          onChange={(next) =>
            void attempt(() => patchRecord(control, { collection: 'webhooks', id }, { enabled: next }))
          }
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

const maxNamed = 3

function EventList({ events, whole = false }: { readonly events: readonly string[]; readonly whole?: boolean }) {
  const shown = whole ? events : events.slice(0, maxNamed)
  return (
    <span class="row tight">
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

export function EndpointView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { control, router, world } = usePanel()
  const name = world.name.value
  const endpoint = useResource(
    () => readRecord<WebhookEndpoint>(control, { collection: 'webhooks', id }),
    [name, id],
    ['records'],
  )
  const value = endpoint.value.value
  const error = endpoint.error.value
  const isGone = error instanceof CallError && error.status === 404
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
              onChange={(enabled) =>
                void attempt(() => patchRecord(control, { world: name, collection: 'webhooks', id }, { enabled }))
              }
            />
            <span class="spacer" />
            <Button
              onClick={async () => {
                const { account, app, enabled, events } = value
                // The event would go to other endpoints of the account alone.
                if (!enabled || !events.includes('webhook.test'))
                  throw new Error(enabled ? 'It does not subscribe to webhook.test.' : 'It is off.')
                const made = (
                  await control.call('POST /worlds/{world}/events', {
                    body: {
                      type: 'webhook.test',
                      account,
                      ...(app !== null && { app_id: app }),
                    },
                  })
                ).data
                const mine = made.find((one) => one.webhook_id === id)
                if (mine) router.go({ rest: ['deliveries', mine.id] })
              }}
              text="Send webhook.test"
            />
            <Button icon="filter" onClick={() => router.setParam('webhook', id)} text="Only its deliveries" />
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

function GradeReport({ webhook }: { readonly webhook: string }) {
  const { control, world } = usePanel()
  const name = world.name.value
  const grade = useResource(
    () => control.call('GET /worlds/{world}/webhooks/{id}/grade', { path: { id: webhook } }),
    [name, webhook],
    ['delivery', 'assumptions'],
  )
  const value = grade.value.value
  const examine = async () => {
    const { result } = await control.call('POST /worlds/{world}/webhooks/{id}/grade', {
      path: { id: webhook },
    })
    grade.reload()
    toast({ text: `Examined: ${results[result].title}`, kind: result === 'failed' ? 'failed' : 'done' })
  }
  return (
    <section class="webhooks-report" aria-label="Receiver report">
      <div class="row">
        <h3>Receiver report</h3>
        {value && <Badge tone={results[value.result].tone}>{results[value.result].title}</Badge>}
        <span class="spacer" />
        <Button icon="play" onClick={examine} text="Examine" />
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

const questions: Readonly<Record<Check['name'], string>> = {
  reachable: 'Accepts valid requests',
  'answers-in-time': 'Answers in time',
  'verifies-signatures': 'Refuses a wrong signature',
  'refuses-stale-timestamps': 'Refuses an old timestamp',
  idempotent: 'Answers a duplicate like the first',
}

type Check = Grade['checks'][number]

const results: Readonly<Record<Check['result'], { readonly tone: Tone; readonly title: string }>> = {
  passed: { tone: 'good', title: 'passed' },
  failed: { tone: 'bad', title: 'failed' },
  unknown: { tone: 'plain', title: 'not known' },
}

/** A webhook as the panel reads it: the secret is its fingerprint. */
export type WebhookEndpoint = Readonly<Omit<Webhook, 'events'>> & { readonly events: readonly string[] }
