import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { toJson } from '../../../core/http/json.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { HeaderFacts, JsonTree } from '../../components/content.tsx'
import { Button, CopyButton, Select } from '../../components/controls.tsx'
import { useActions } from '../../components/keys.ts'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { Badge, ClockTime, Duration, RelativeTime, StatusBadge, Timeline, type Tone } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { pretty } from '../../data/json.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import { Signature } from './signature.tsx'

export function DeliveryView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { api, world } = usePanel()
  const name = world.name.value
  const delivery = useResource(() => api.delivery(name, id), [name, id], { reloadOn: ['delivery', 'records'] })
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
              <Button icon="redo" onClick={sendAgain} text="Send again" />
              {shown.next_attempt_at !== null && (
                <Button
                  icon="play"
                  title={`Sets the clock to ${shown.next_attempt_at}`}
                  onClick={async () => {
                    await world.changeClock(name, { now: shown.next_attempt_at! })
                    delivery.reload()
                  }}
                  text="Run to the next attempt"
                />
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

function Payload({ value, raw }: { value: unknown; raw: string }) {
  const isRaw = useSignal(false)
  return (
    <>
      <div class="row part-head">
        <span class="muted">The same in every attempt.</span>
        <span class="spacer" />
        <Button kind="quiet" pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)} text="Raw" />
        <CopyButton text={() => (isRaw.peek() ? raw : pretty(value))} what="the payload" />
      </div>
      {isRaw.value ? <pre class="code">{raw}</pre> : <JsonTree value={value} open={3} />}
    </>
  )
}

const faults = {
  'stale-timestamp': 'sent with an old timestamp by a scenario',
  'bad-signature': 'sent with a wrong signature by a scenario',
}

function Attempts({ delivery, now }: { readonly delivery: DeliverySummary; readonly now: string | undefined }) {
  const { attempts, next_attempt_at, status, created_at } = delivery
  if (attempts.length === 0 && next_attempt_at === null)
    return (
      <EmptyState title="No attempt was made">
        {status === 'lost' ? 'A scenario dropped it: the receiver never gets it.' : 'No attempt is due.'}
      </EmptyState>
    )
  const points = [
    ...attempts.map((one, index) => ({
      id: String(index),
      at: one.at,
      title: `Attempt ${index + 1}: ${one.status ?? one.error ?? 'no answer'}`,
      tone: isAccepted(one) ? ('good' as const) : ('bad' as const),
    })),
    ...(next_attempt_at === null
      ? []
      : [{ id: 'next', at: next_attempt_at, title: 'Next attempt', tone: 'waiting' as const }]),
  ]
  return (
    <>
      <Timeline label="Attempts" points={points} now={now} />
      <ol class="webhooks-attempts">
        {attempts.map((one, index) => (
          <li key={index}>
            <Attempt attempt={one} number={index + 1} />
          </li>
        ))}
        {next_attempt_at !== null && (
          <li>
            <div class="row">
              <b>{attempts.length === 0 ? 'First attempt' : `Attempt ${attempts.length + 1}`}</b>
              <Badge tone="waiting">due</Badge>
              <RelativeTime at={next_attempt_at} />
              <span class="muted">
                <ClockTime at={next_attempt_at} />
              </span>
            </div>
          </li>
        )}
      </ol>
      <p class="muted">
        The event happened at <ClockTime at={created_at} /> on the world’s clock.
      </p>
    </>
  )
}

function Attempt({ attempt: one, number }: { readonly attempt: AttemptSummary; readonly number: number }) {
  return (
    <>
      <div class="row">
        <b>Attempt {number}</b>
        <AttemptAnswer attempt={one} />
        <span class="muted" title={one.at}>
          <ClockTime at={one.at} />
        </span>
        <span class="muted">
          took <Duration ms={one.ms} />
        </span>
        {one.fault && <Badge tone="note">{faults[one.fault]}</Badge>}
      </div>
      {one.error !== null && <p class="webhooks-error breaks">{one.error}</p>}
      {one.response !== null && one.response !== '' && (
        <details open={!isAccepted(one)}>
          <summary class="muted">Answer</summary>
          <pre class="code">{one.response}</pre>
        </details>
      )}
    </>
  )
}

export function DeliveryStatus({ delivery: { status, attempts } }: { readonly delivery: DeliverySummary }) {
  if (status === 'pending' && attempts.length > 0) return <Badge tone="warning">retrying</Badge>
  return <Badge tone={tones[status]}>{status}</Badge>
}

const tones: Readonly<Record<DeliverySummary['status'], Tone>> = {
  pending: 'waiting',
  succeeded: 'good',
  failed: 'bad',
  lost: 'gone',
}

export function AttemptAnswer({ attempt: { status, error } }: { readonly attempt: AttemptSummary }) {
  if (status !== null) return <StatusBadge status={status} />
  return (
    <Badge tone="gone" title={error ?? undefined}>
      no answer
    </Badge>
  )
}

function isAccepted({ status }: AttemptSummary): boolean {
  return status !== null && status >= 200 && status < 300
}
