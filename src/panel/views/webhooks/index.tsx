import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  FilterSelect,
  Link,
  Loaded,
  useActions,
  useEscape,
  useKeys,
  ViewHead,
} from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { readEventTypes } from '../../data/listed-names.ts'
import { DeliveriesView } from './deliveries.tsx'
import { DeliveryView } from './delivery.tsx'
import { EndpointView } from './endpoint.tsx'
import { Endpoints } from './endpoints.tsx'
import type { WebhookEndpoint as EndpointShape } from './shapes.ts'
import { Trigger } from './trigger.tsx'

const page = 100

const mostEndpoints = 200

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
    () => api.records(name, 'webhooks', { limit: mostEndpoints, sort: '-created_at' }),
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
