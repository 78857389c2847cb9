import type { ComponentChildren } from 'preact'
import { toJson } from '../../../core/http/json.ts'
import { toIso } from '../../../core/time/time-text.ts'
import {
  Button,
  Detail,
  EmptyState,
  HeaderFacts,
  Link,
  Loaded,
  Select,
  Tabs,
  toast,
  useActions,
} from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import { Attempts } from './attempts.tsx'
import { Payload } from './payload.tsx'
import { isAccepted } from './shapes.ts'
import { Signature } from './signature.tsx'
import { DeliveryStatus } from './status.tsx'

export function DeliveryView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const delivery = useResource(() => api.delivery(name, id), [name, id], {
    reloadOn: ['delivery', 'records'],
  })
  const value = delivery.value.value
  const sendAgain = async () => {
    const again = await api.redeliver(name, id)
    delivery.reload()
    const last = again.attempts.at(-1)
    toast({
      text: last ? `Sent again: ${last.status ?? last.error}` : 'Sending it again',
      kind: last && !isAccepted(last) ? 'failed' : 'done',
    })
  }
  useActions(
    [{ id: 'delivery:again', title: 'Send the delivery again', keywords: 'redeliver webhook retry', run: sendAgain }],
    [id, name],
  )
  return (
    <Detail label={`Delivery ${id}`} title={value?.type ?? 'Delivery'} onClose={onClose}>
      <Loaded resource={delivery} lines={10}>
        {(shown) => (
          <>
            <div class="row webhooks-facts">
              <DeliveryStatus delivery={shown} />
              <span class="mono">{shown.id}</span>
              <span class="mono muted">{shown.event}</span>
            </div>
            <p class="breaks">
              to{' '}
              <Link class="mono" to={{ rest: ['endpoints', shown.webhook] }}>
                {shown.url ?? shown.webhook}
              </Link>
              {shown.url === null && <span class="muted"> (deleted)</span>}
            </p>
            <div class="row actions">
              <Button icon="redo" onClick={sendAgain}>
                Send again
              </Button>
              {shown.next_attempt_at !== null && (
                <Button
                  icon="play"
                  title={`Sets the clock to ${shown.next_attempt_at}`}
                  onClick={async () => {
                    await world.changeClock(name, { now: shown.next_attempt_at! })
                    delivery.reload()
                  }}
                >
                  Run to the next attempt
                </Button>
              )}
            </div>
            <Parts value={shown} />
          </>
        )}
      </Loaded>
    </Detail>
  )
}

function Parts({ value }: { readonly value: DeliverySummary }) {
  const { router, world } = usePanel()
  const { face = 'attempts', attempt: wanted } = router.route.value.params
  const { attempts, payload } = value
  const raw = typeof payload === 'string' ? payload : toJson(payload)
  const chosen = attempts[Number(wanted) - 1] ?? attempts.at(-1)
  const now = world.now.value
  const ofAttempt = (render: (attempt: AttemptSummary) => ComponentChildren) => {
    if (!chosen) return <EmptyState title="Nothing was sent yet">It appears here with the first attempt.</EmptyState>
    return (
      <>
        {attempts.length > 1 && (
          <div class="part-head">
            <Select
              label="Attempt"
              value={String(attempts.indexOf(chosen) + 1)}
              options={attempts.map((_, number) => ({ value: String(number + 1), title: `Attempt ${number + 1}` }))}
              onChange={(number) => router.setParam('attempt', number)}
            />
          </div>
        )}
        {render(chosen)}
      </>
    )
  }
  return (
    <Tabs
      label="Parts of the delivery"
      chosen={face}
      onChoose={(id) => router.setParam('face', id === 'attempts' ? undefined : id)}
      tabs={[
        {
          id: 'attempts',
          title: 'Attempts',
          count: attempts.length,
          render: () => <Attempts delivery={value} now={now === undefined ? undefined : toIso(now)} />,
        },
        { id: 'payload', title: 'Payload', render: () => <Payload value={payload} raw={raw} /> },
        {
          id: 'headers',
          title: 'Headers',
          render: () =>
            ofAttempt(({ headers }) =>
              headers ? <HeaderFacts headers={headers} /> : <p class="muted">No headers are known of this attempt.</p>,
            ),
        },
        {
          id: 'signature',
          title: 'Signature',
          render: () => ofAttempt((attempt) => <Signature attempt={attempt} body={raw} />),
        },
      ]}
    />
  )
}
