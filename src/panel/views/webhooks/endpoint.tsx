import {
  attempt,
  Button,
  CopyButton,
  Detail,
  ErrorState,
  Fact,
  Facts,
  Skeleton,
  Switch,
} from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { EventList } from './endpoints.tsx'
import { GradeReport } from './report.tsx'
import type { WebhookEndpoint as Shape } from './shapes.ts'

export function EndpointView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
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
