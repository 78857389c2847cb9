import { useSignal } from '@preact/signals'
import { toJson } from '../../../core/http/json.ts'
import { shorten } from '../../../core/text/messages.ts'
import { systemNow } from '../../../core/time/clock.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { HttpMessage, Loaded } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { bound, LineForm } from '../../components/form/form.tsx'
import {
  Badge,
  ClockTime,
  Duration,
  Lanes,
  RelativeTime,
  StatusBadge,
  type Tone,
} from '../../components/marks.tsx'
import { Detail, Link } from '../../components/layout.tsx'
import { toast } from '../../components/toast.tsx'
import { toDurationText } from '../../components/words.ts'
import { useAnswer, usePanel } from '../../data/panel.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/control.ts'

export function DeliveryView({ id, onClose }: { id: string; onClose: () => void }) {
  const { control, world } = usePanel()
  const delivery = useAnswer('GET /worlds/{world}/deliveries/{id}', { id }, ['delivery', 'records'])
  const runTo = (now: string) => world.changeClock({ now })
  const next = delivery.value?.next_attempt_at ?? null
  const sendAgain = async () => {
    const { attempts } = await control.call('POST /worlds/{world}/deliveries/{id}/redeliver', {
      id,
    })
    const last = attempts.at(-1)
    toast(`Sent again: ${last?.status ?? last?.error}`, { hasFailed: !isAccepted(last) })
    delivery.reload()
  }
  return (
    <Detail label={`Delivery ${id}`} title={delivery.value?.type ?? 'Delivery'} onClose={onClose}>
      <Loaded resource={delivery}>
        {(shown) => (
          <>
            <DeliveryFacts delivery={shown} />
            <div class="row actions">
              <Button icon="redo" onClick={sendAgain} text="Send again" />
              {next !== null && (
                <Button icon="play" onClick={() => runTo(next)} text="Run to the next attempt" />
              )}
            </div>
            <Attempts delivery={shown} />
            <HttpMessage
              headers={shown.attempts.at(-1)?.headers ?? {}}
              body={toRaw(shown.payload)}
              what="request"
            />
          </>
        )}
      </Loaded>
    </Detail>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliverySummary }) {
  const { event, webhook, url } = delivery
  return (
    <p class="row detail-facts">
      <DeliveryStatus delivery={delivery} />
      <span class="mono muted">{event}</span>
      <Link class="mono breaks" to={{ rest: ['endpoints', webhook] }}>
        {url ?? `${webhook} (deleted)`}
      </Link>
    </p>
  )
}

export function DeliveryStatus({ delivery: { status, attempts } }: { delivery: DeliverySummary }) {
  return <Badge text={status === 'pending' && attempts.length > 0 ? 'retrying' : status} />
}

export function AttemptAnswer({ attempt }: { attempt: AttemptSummary | undefined }) {
  if (!attempt) return <small>none yet</small>
  return attempt.status === null ? (
    <Badge text="no answer" />
  ) : (
    <StatusBadge of={{ response: { status: attempt.status } }} />
  )
}

function isAccepted(attempt: AttemptSummary | undefined): boolean {
  return Math.floor((attempt?.status ?? 0) / 100) === 2
}

function Attempts({ delivery }: { delivery: DeliverySummary }) {
  const { attempts, next_attempt_at: next, status, created_at, payload } = delivery
  if (status === 'lost')
    return <p class="callout">A scenario dropped it: the receiver never gets it.</p>
  return (
    <>
      <Lanes
        from={toTimestamp(created_at)}
        fromTitle="the event"
        lanes={[{ title: 'Attempts', points: toPoints(delivery) }]}
      />
      <ol class="attempts">
        {next !== null && (
          <li>
            <b>Attempt {attempts.length + 1}</b> <Badge text="due" /> <RelativeTime at={next} />
          </li>
        )}
        {[...attempts.entries()].reverse().map(([index, one]) => (
          <li key={index}>
            <details open={index === attempts.length - 1}>
              <summary>
                <b>Attempt {index + 1}</b> <AttemptAnswer attempt={one} /> <ClockTime at={one.at} />{' '}
                took <Duration ms={one.ms} />
              </summary>
              <Attempt attempt={one} body={toRaw(payload)} />
            </details>
          </li>
        ))}
      </ol>
    </>
  )
}

function toPoints({ attempts, next_attempt_at: next }: DeliverySummary) {
  const made = attempts.map((one, index) => {
    const tone: Tone = isAccepted(one) ? 'good' : 'bad'
    return {
      at: one.at,
      title: `Attempt ${index + 1}: ${one.status ?? one.error}`,
      tone,
    }
  })
  if (next === null) return made
  return [
    ...made,
    {
      at: next,
      title: 'Next attempt',
      tone: 'waiting' as const,
    },
  ]
}

function Attempt({ attempt, body }: { attempt: AttemptSummary; body: string }) {
  const { world } = usePanel()
  const { error, response, headers } = attempt
  const [tone, answer, why] = checkSignature(
    attempt,
    (world.now.value ?? systemNow()) - systemNow(),
  )
  const signature = headers?.['webhook-signature']
  const signed = `${headers?.['webhook-id']}.${headers?.['webhook-timestamp']}.${body}`
  return (
    <>
      {error !== null && <p class="red breaks">{error}</p>}
      {response && <pre class="code">{response}</pre>}
      <p class="callout above">
        Can the receiver verify it? <Badge tone={tone} text={answer} /> {why}
      </p>
      {headers && signature && (
        <details class="above">
          <summary>Check the signature</summary>
          <CheckSecret text={signed} signature={signature} />
        </details>
      )}
    </>
  )
}

/** The payload, byte by byte as every attempt sends it. */
function toRaw(payload: unknown): string {
  if (typeof payload === 'string') return payload
  return toJson(payload)
}

const maxSigned = 160

const isRight = { text: 'It gives this signature' }
const isWrong = {
  text: 'It gives another signature: it is the wrong secret',
  tone: 'bad',
} as const

function CheckSecret({ text, signature }: { text: string; signature: string }) {
  const secret = useSignal('')
  const answer = useSignal<
    | {
        of: string
        fits: boolean
      }
    | undefined
  >(undefined)
  const check = async () => {
    const given = secret.peek()
    const computed = await sign(given, text)
    answer.value = {
      of: given,
      fits: signature.split(' ').includes(computed),
    }
  }
  return (
    <>
      <p>
        The HMAC-SHA256 of this text, with the secret after <code>whsec_</code> as the key, both in
        base64:
      </p>
      <pre class="code below">{shorten(text, maxSigned)}</pre>
      <LineForm
        title="Check your secret"
        hint="The one that your receiver uses. It does not leave this page."
        kind="mono"
        placeholder="whsec_…"
        action="Check"
        onSubmit={check}
        {...bound(secret)}
      />
      <p role="status">
        {answer.value?.of === secret.value && (
          <Badge {...(answer.value.fits ? isRight : isWrong)} />
        )}
      </p>
    </>
  )
}

/**
 * How far libraries of Standard Webhooks let a timestamp be from a receiver's clock, in
 * milliseconds.
 */
const tolerance = 300_000

type SignatureCheck = readonly [tone: Tone, answer: string, why: string]

/** @param off how far the world's clock is ahead of this machine's, in milliseconds */
function checkSignature({ at, headers, fault }: AttemptSummary, off: number): SignatureCheck {
  if (!headers)
    return [
      'plain',
      'Not known.',
      'Its headers are not known: it comes from fixtures, or nothing was sent.',
    ]
  const count = (headers['webhook-signature'] ?? '').split(' ').filter(Boolean).length
  if (count === 0)
    return ['note', 'Nothing to verify.', 'The assumption webhooks.signature is "none".']
  if (fault === 'bad-signature')
    return ['bad', 'No.', 'A scenario signed it with a secret that no webhook has.']
  const right = `The signature is right${count > 1 ? `: one of the ${count} is enough, since the secret was rotated` : ''}`
  const behind = Math.abs(toTimestamp(at) - Number(headers['webhook-timestamp']) * 1_000)
  if (fault === 'stale-timestamp') {
    const why = `${right}, but a scenario made the timestamp ${toDurationText(behind)} older than the attempt.`
    return ['warning', 'Only if it accepts old timestamps.', why]
  }
  // A timestamp of this machine's clock would differ from the attempt's time by about `off`.
  if (Math.abs(off) > tolerance && behind < Math.abs(off) / 2) {
    const side = `${toDurationText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} this machine`
    const why = `${right}, but the timestamp is ${side}: libraries allow 5 min. The assumption webhooks.timestamp=real stamps with the machine’s time.`
    return ['warning', 'Only by the world’s time.', why]
  }
  return ['good', 'Yes.', `${right}, and the timestamp is the time of the attempt.`]
}

/**
 * Signs a text per Standard Webhooks. @param secret `whsec_` and base64. @throws Error for others,
 * or without Web Crypto
 */
async function sign(secret: string, text: string): Promise<string> {
  if (!crypto.subtle)
    throw new Error('The browser signs only on pages of this machine: open the panel as 127.0.0.1.')
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytesOf(secret),
    {
      name: 'HMAC',
      hash: 'SHA-256',
    },
    false,
    ['sign'],
  )
  const signed = new Uint8Array(
    await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)),
  )
  return `v1,${btoa(String.fromCharCode(...signed))}`
}

function secretBytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = secret.trim().replace(/^whsec_/, '')
  if (!/^[\w+/]+=*$/.test(base64)) throw new Error('A secret is whsec_ and base64.')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
