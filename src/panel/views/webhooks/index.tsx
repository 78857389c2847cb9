import type { ControlApi } from '../../../control/client/control-api.ts'
import { useSignal } from '@preact/signals'
import { Button } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm, SelectField, TextField } from '../../components/form/field.tsx'
import { useActions, useEscape, useKeys } from '../../components/keys.ts'
import { FilterSelect, Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { RelativeTime } from '../../components/marks.tsx'
import { EmptyState, ErrorState, Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { toPlural } from '../../components/words.ts'
import { readEventTypes, readRecords } from '../../data/control.ts'
import { useDraft, useFailure } from '../../data/form.ts'
import { parseTypedJson, pretty } from '../../data/json.ts'
import { exampleOf, readOpenApi } from '../../data/open-api.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { DeliverySummary } from '../../data/shapes.ts'
import { AttemptAnswer, DeliveryStatus, DeliveryView } from './delivery.tsx'
import { Endpoints, EndpointView, type WebhookEndpoint } from './endpoint.tsx'

const page = 100

const maxEndpoints = 200

export default function Webhooks() {
  const { control, router, world } = usePanel()
  const name = world.name.value
  const { rest, params } = router.route.value
  const [part, id] = rest
  const { webhook, type, status, trigger } = params
  const limit = Number(params['limit']) || page
  const eventTypes = useResource(() => readEventTypes(control), [])
  const types = eventTypes.value.value ?? []
  const endpoints = useResource(
    () =>
      readRecords<WebhookEndpoint>(control, { collection: 'webhooks' }, { limit: maxEndpoints, sort: '-created_at' }),
    [name],
    ['records'],
  )
  const deliveries = useResource(
    async () =>
      (await control.call('GET /worlds/{world}/deliveries', { query: { limit, webhook, type, status } })).data,
    [name, webhook, type, status, limit],
    ['delivery', 'records'],
  )
  const close = () => router.go({ rest: [], params: { face: undefined, attempt: undefined } }, true)
  const closeTrigger = () => router.setParam('trigger', undefined)
  const open = () => router.setParam('trigger', 'webhook.test')
  useEscape(part !== undefined, close)
  useKeys([{ keys: 't', title: 'Trigger an event', run: open }])
  useActions([{ id: 'webhooks:trigger', title: 'Trigger an event…', keywords: 'webhook form', keys: 't', run: open }])
  const list = endpoints.value.value?.data ?? []
  const total = endpoints.value.value?.total ?? 0

  return (
    <>
      <ViewHead
        title="Webhooks"
        actions={
          <Button
            kind="primary"
            icon="plus"
            title="Sends an event to webhooks (t)"
            onClick={open}
            text="Trigger an event"
          />
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
                      <Button onClick={() => router.setParam('limit', String(limit + page))} text="Show more" />
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
        <Button
          onClick={() => router.go({ params: { webhook: undefined, type: undefined, status: undefined } })}
          text="Clear the filter"
        />
      </EmptyState>
    ) : (
      <EmptyState title="Nothing was delivered yet">
        <p>Events of this world appear here, with every attempt to deliver them.</p>
        <Button onClick={onTrigger} text="Trigger an event" />
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

function Trigger({ types, endpoints, type: first, onClose }: TriggerProps) {
  const { control, router, world } = usePanel()
  const name = world.name.value
  const accounts =
    useResource(async () => (await control.call('GET /worlds/{world}/accounts')).data, [name]).value.value ?? []
  const apps =
    useResource(() => readRecords(control, { collection: 'apps' }, { limit: maxApps }), [name]).value.value?.data ?? []
  const draft = useDraft(`trigger ${first}`)
  const type = draft.part('type', types.includes(first) ? first : types[0]!)
  const account = draft.part('account', '')
  const app = draft.part('app', '')
  const data = draft.part('data', '')
  const source = draft.part('source', '')
  const mistake = useSignal('')
  const failure = useFailure()
  // Computed on each render: a computed signal would miss endpoints that load after the dialog opened.
  const listening = endpoints.filter(
    (endpoint) =>
      endpoint.enabled &&
      endpoint.events.includes(type.value) &&
      (account.value === '' || endpoint.account === account.value) &&
      (app.value === '' || endpoint.app === null || endpoint.app === app.value),
  )

  const fillIn = async () => {
    const wanted = type.peek()
    const before = data.peek()
    const [example, from] = await readExample(control, wanted)
    // The event or the text may have changed meanwhile.
    if (type.peek() !== wanted || data.peek() !== before) return
    data.value = pretty(example)
    source.value = from
    mistake.value = ''
  }
  const submit = async () => {
    mistake.value = ''
    let eventData: Readonly<Record<string, unknown>> | undefined
    if (data.peek().trim() !== '')
      try {
        eventData = parseTypedJson(data.peek()) as Readonly<Record<string, unknown>>
      } catch (error) {
        return void (mistake.value = (error as Error).message)
      }
    const made = (
      await control.call('POST /worlds/{world}/events', {
        body: {
          type: type.peek(),
          ...(eventData !== undefined && { data: eventData }),
          ...(account.peek() !== '' && { account: account.peek() }),
          ...(app.peek() !== '' && { app_id: app.peek() }),
        },
      })
    ).data
    if (made.length === 0)
      throw new Error(`${type.peek()} was sent to nobody: no enabled webhook of this account subscribes to it.`)
    toast({ text: `${type.peek()} goes to ${toPlural(made.length, 'endpoint')}` })
    draft.forget()
    onClose()
    router.go({ rest: ['deliveries', made[0]!.id], params: { attempt: undefined } })
  }

  return (
    <DialogForm
      title="Trigger an event"
      width="wide"
      action="Trigger"
      onSubmit={submit}
      draft={draft}
      failure={failure}
      onClose={onClose}
      foot={<Button kind="quiet" onClick={fillIn} text="Fill in an example" />}
    >
      <SelectField
        title="Event"
        isRequired
        value={type.value}
        options={types}
        onChoose={(chosen) => {
          type.value = chosen
          data.value = source.value = mistake.value = failure.value = ''
        }}
      />
      <p class="muted">
        {listening.length === 0
          ? 'No enabled webhook subscribes to it: nobody will get it.'
          : `Listening: ${listening.map(({ url }) => url).join(', ')}`}
      </p>
      <div class="columns-fit">
        <SelectField
          title="Account"
          hint="By default that of the app, or of the first endpoint that subscribes."
          value={account.value}
          options={[notSet, ...accounts.map(({ id, plan }) => ({ value: id, title: `${id} (${plan})` }))]}
          onChoose={(chosen) => {
            account.value = chosen
            app.value = ''
          }}
        />
        <SelectField
          title="App"
          hint="The app of the event."
          value={app.value}
          options={[
            notSet,
            ...apps
              .filter((one) => account.value === '' || one['account'] === account.value)
              .map((one) => ({ value: String(one['id']), title: `${String(one['name'])} (${String(one['id'])})` })),
          ]}
          onChoose={(chosen) => (app.value = chosen)}
        />
      </div>
      <TextField
        title="Data"
        hint={source.value || 'JSON. By default, the event is about the newest record that fits.'}
        error={mistake.value}
        kind="input-code"
        rows={10}
        of={data}
      />
    </DialogForm>
  )
}

interface TriggerProps {
  readonly types: readonly string[]
  readonly endpoints: readonly WebhookEndpoint[]
  readonly type: string
  readonly onClose: () => void
}

const notSet = { value: '', title: 'not set' }

const maxApps = 200

async function readExample(control: ControlApi, type: string): Promise<[data: unknown, source: string]> {
  const [last] = (await control.call('GET /worlds/{world}/deliveries', { query: { type, limit: 1 } })).data
  const sent = (last?.payload as { readonly data?: unknown } | undefined)?.data
  if (sent !== undefined) return [sent, `From ${last!.id}, the newest delivery of this event.`]
  const document = await readOpenApi(control)
  const schema = Object.values(document.webhooks?.[type]?.post.requestBody?.content ?? {})[0]?.schema
  const part = schema?.properties?.['data']
  return [part ? exampleOf(part, document.components.schemas) : {}, 'Generated from the schema of this event.']
}
