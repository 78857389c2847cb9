import { attempt, Button, CopyButton, DetailHead, ErrorState, Skeleton, Switch, toast } from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { EventList } from './endpoints.tsx'
import { GradeReport } from './report.tsx'
import type { WebhookEndpoint as Shape } from './shapes.ts'

/** An endpoint: its settings, and the report on its receiver. */
export function EndpointView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api, router, world } = usePanel()
  const name = world.name.value
  const endpoint = useResource(
    () => api.record(name, 'webhooks', id) as Promise<unknown> as Promise<Shape>,
    [name, id],
    {
      reloadOn: ['records', 'world', 'reload'],
    },
  )
  const value = endpoint.value.value
  const error = endpoint.error.value
  const isGone = error instanceof ApiFailure && error.status === 404
  return (
    <aside class="split-detail" aria-label={`Endpoint ${id}`}>
      <DetailHead kind="mono" onClose={onClose}>
        {value?.url ?? id}
      </DetailHead>
      {error && <ErrorState error={error} {...(!isGone && { onRetry: endpoint.reload })} />}
      {!value && !error && <Skeleton lines={8} />}
      {value && !isGone && (
        <>
          <div class="row webhooks-actions">
            <Switch
              label="Deliver to it"
              on={value.enabled}
              onChange={(enabled) => void attempt(() => api.changeRecord(name, 'webhooks', id, { enabled }))}
            />
            <span class="spacer" />
            <Button
              onClick={async () => {
                const made = await api.trigger(name, { type: 'webhook.test', account: value.account })
                const mine = made.find((one) => one.webhook_id === id)
                if (mine) router.go({ rest: ['deliveries', mine.id] })
                else toast({ text: 'It does not subscribe to webhook.test.', kind: 'failed' })
              }}
            >
              Send webhook.test
            </Button>
            <Button icon="filter" onClick={() => router.setParam('webhook', id)}>
              Only its deliveries
            </Button>
          </div>
          <dl class="webhooks-list">
            <div>
              <dt>Id</dt>
              <dd class="mono">
                {id} <CopyButton text={id} what="the id" />
              </dd>
            </div>
            <div>
              <dt>Events</dt>
              <dd>
                <EventList events={value.events} whole />
              </dd>
            </div>
            <div>
              <dt>Account</dt>
              <dd>{value.account}</dd>
            </div>
            <div>
              <dt>App</dt>
              <dd>{value.app ?? 'all of them'}</dd>
            </div>
            <div>
              <dt>Secret</dt>
              <dd>
                <span class="mono">{value.secret}</span> <span class="muted">its fingerprint</span>
              </dd>
            </div>
          </dl>
          <GradeReport webhook={id} />
        </>
      )}
    </aside>
  )
}
