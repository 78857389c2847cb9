import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { toJson } from '../../../core/http/json.ts'
import { shorten } from '../../../core/text/messages.ts'
import { systemNow } from '../../../core/time/clock.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { HeaderFacts, JsonTree } from '../../components/content.tsx'
import { Button, CopyButton, Select } from '../../components/controls.tsx'
import { TextField } from '../../components/form/field.tsx'
import { useActions } from '../../components/keys.ts'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { Badge, ClockTime, Duration, RelativeTime, StatusBadge, Timeline, type Tone } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { toDurationText } from '../../components/words.ts'
import { useFailure, useSubmit } from '../../data/form.ts'
import { pretty } from '../../data/json.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import { toMessage } from '../../data/control.ts'

export function DeliveryView({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { control, world } = usePanel()
  const name = world.name.value
  const delivery = useResource(
    () => control.call('GET /worlds/{world}/deliveries/{id}', { path: { id } }),
    [name, id],
    ['delivery', 'records'],
  )
  const value = delivery.value.value
  const sendAgain = async () => {
    const again = await control.call('POST /worlds/{world}/deliveries/{id}/redeliver', { path: { id } })
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
            <div class="row detail-facts">
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
                    await world.changeClock({ now: shown.next_attempt_at! })
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
  const { attempt: wanted } = router.route.value.params
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
      param="face"
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
      <ol class="webhooks-attempts above below">
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
      {one.error !== null && <p class="red breaks">{one.error}</p>}
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

function Signature({ attempt, body }: { readonly attempt: AttemptSummary; readonly body: string }) {
  const { world } = usePanel()
  const off = (world.now.value ?? systemNow()) - systemNow()
  const [tone, answer, why] = checkSignature(attempt, off)
  const { headers } = attempt
  const signature = headers?.['webhook-signature']
  return (
    <>
      <div class="callout webhooks-verdict">
        <p>
          Can the receiver verify it? <Badge tone={tone}>{answer}</Badge>
        </p>
        <p>{why}</p>
        {why.includes('assumption') && <Link to={{ view: 'assumptions' }}>Assumptions</Link>}
      </div>
      {headers && signature && (
        <>
          <h3 class="part-head">How it is computed</h3>
          <ol class="webhooks-steps">
            <li>
              Join <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, byte by byte as it was sent,
              with full stops:
              <pre class="code">{shorten(toSigned(headers, body), shownOfSigned)}</pre>
            </li>
            <li>
              The key is the webhook’s secret without <code>whsec_</code>, decoded from base64.
            </li>
            <li>
              <code>webhook-signature</code> is <code>v1,</code> and the HMAC-SHA256 of the text with the key, in
              base64:
              <span class="row breaks">
                <code>{signature}</code>
                <CopyButton text={signature} what="the signature" />
              </span>
            </li>
          </ol>
          <CheckSecret key={toSigned(headers, '')} text={toSigned(headers, body)} signature={signature} />
        </>
      )}
    </>
  )
}

const shownOfSigned = 160

function CheckSecret({ text, signature }: { readonly text: string; readonly signature: string }) {
  const secret = useSignal('')
  const error = useFailure()
  const checked = useSignal<{ readonly secret: string; readonly fits: boolean } | undefined>(undefined)
  const { submit } = useSubmit(error, async () => {
    checked.value = undefined
    const computed = await sign(secret.peek(), text)
    checked.value = { secret: secret.peek(), fits: signature.split(' ').includes(computed) }
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextField
        title="Check your secret"
        hint="The one that your receiver uses. It does not leave this page."
        error={toMessage(error.value)}
        isRequired
        kind="mono"
        placeholder="whsec_…"
        action="Check"
        of={secret}
      />
      <p role="status">
        {checked.value?.secret === secret.value && (
          <Badge tone={checked.value.fits ? 'good' : 'bad'}>
            {checked.value.fits
              ? 'It gives this signature'
              : 'It gives another signature: the receiver has a wrong secret'}
          </Badge>
        )}
      </p>
    </form>
  )
}

/** The age of a timestamp that libraries of Standard Webhooks accept, in milliseconds. */
const tolerance = 300_000

type SignatureCheck = readonly [tone: Tone, answer: string, why: string]

/** Decides whether a receiver could verify the attempt. @param off how far the world's clock is ahead of the machine's, in ms */
function checkSignature({ at, headers, fault }: AttemptSummary, off: number): SignatureCheck {
  if (!headers)
    return [
      'plain',
      'Not known',
      'The headers of this attempt are not known: it comes from fixtures, or no request was made.',
    ]
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter(Boolean)
  if (signatures.length === 0)
    return ['note', 'Nothing to verify', 'Deliveries are not signed here: the assumption webhooks.signature is "none".']
  if (fault === 'bad-signature')
    return [
      'bad',
      'No',
      'A scenario signed it with a secret that no webhook has. A receiver that verifies answers 400 or 401.',
    ]
  const behind = toTimestamp(at) - Number(headers['webhook-timestamp']) * 1_000
  if (fault === 'stale-timestamp')
    return [
      'warning',
      'Only if it accepts old timestamps',
      `The signature is right, but the timestamp is ${toDurationText(Math.abs(behind))} older than the attempt. A receiver that checks it refuses.`,
    ]
  const several =
    signatures.length > 1 ? ` It has ${signatures.length} signatures, since the secret was rotated: one is enough.` : ''
  // A timestamp of the machine's clock would differ from the attempt's time by about `off`.
  if (Math.abs(off) > tolerance && Math.abs(behind) < Math.abs(off) / 2)
    return [
      'warning',
      'Only by the world’s time',
      `The signature is right.${several} But the world’s clock is ${toDurationText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} this machine’s, and so is the timestamp: a receiver that compares it with its own clock, as libraries do to within 5 min, refuses. The assumption webhooks.timestamp=real stamps with the machine’s time.`,
    ]
  return ['good', 'Yes', `The signature is right, and the timestamp is the time of the attempt.${several}`]
}

/** Returns the text to sign: the id, the timestamp and the body, exactly as sent. */
function toSigned(headers: Readonly<Record<string, string>>, body: string): string {
  return `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
}

/** Signs a text per Standard Webhooks. @param secret `whsec_` and base64. @throws Error for others, or without Web Crypto */
async function sign(secret: string, text: string): Promise<string> {
  if (typeof crypto === 'undefined' || !crypto.subtle)
    throw new Error('The browser signs only on pages of this machine or over HTTPS. Open the panel as 127.0.0.1.')
  const key = await crypto.subtle.importKey('raw', toBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
  return `v1,${btoa(String.fromCharCode(...signed))}`
}

function toBytes(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = Uint8Array.from(atob(secret.trim().replace(/^whsec_/, '')), (character) => character.charCodeAt(0))
    if (bytes.length > 0) return bytes
  } catch {
    // The throw below reports it.
  }
  throw new Error('A secret is whsec_ and base64.')
}
