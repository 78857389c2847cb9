import { useSignal } from '@preact/signals'
import { shorten } from '../../../core/text/messages.ts'
import { systemNow } from '../../../core/time/clock.ts'
import { toTimestamp } from '../../../core/time/time-text.ts'
import { CopyButton } from '../../components/controls.tsx'
import { TextField } from '../../components/form/field.tsx'
import { Link } from '../../components/layout.tsx'
import { Badge, type Tone } from '../../components/marks.tsx'
import { toDurationText } from '../../components/words.ts'
import { useFailure, useSubmit } from '../../data/form.ts'
import { usePanel } from '../../data/panel.ts'
import type { AttemptSummary } from '../../data/shapes.ts'
import { toMessage } from '../../data/transport.ts'

export function Signature({ attempt, body }: { readonly attempt: AttemptSummary; readonly body: string }) {
  const { world } = usePanel()
  const off = (world.now.value ?? systemNow()) - systemNow()
  const { tone, answer, why } = checkSignature(attempt, off)
  const { headers } = attempt
  return (
    <>
      <div class="callout webhooks-verdict">
        <p>
          Can the receiver verify it? <Badge tone={tone}>{answer}</Badge>
        </p>
        <p>{why}</p>
        {why.includes('assumption') && <Link to={{ view: 'assumptions' }}>Assumptions</Link>}
      </div>
      {headers?.['webhook-signature'] && (
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
                <code>{headers['webhook-signature']}</code>
                <CopyButton text={headers['webhook-signature']} what="the signature" />
              </span>
            </li>
          </ol>
          <CheckSecret
            key={toSigned(headers, '')}
            text={toSigned(headers, body)}
            signature={headers['webhook-signature']}
          />
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

interface SignatureCheck {
  readonly tone: Tone
  readonly answer: string
  readonly why: string
}

/** Decides whether a receiver could verify the attempt. @param off how far the world's clock is ahead of the machine's, in ms */
function checkSignature({ at, headers, fault }: AttemptSummary, off: number): SignatureCheck {
  if (!headers)
    return {
      tone: 'plain',
      answer: 'Not known',
      why: 'The headers of this attempt are not known: it comes from fixtures, or no request was made.',
    }
  const signatures = (headers['webhook-signature'] ?? '').split(' ').filter(Boolean)
  if (signatures.length === 0)
    return {
      tone: 'note',
      answer: 'Nothing to verify',
      why: 'Deliveries are not signed here: the assumption webhooks.signature is "none".',
    }
  if (fault === 'bad-signature')
    return {
      tone: 'bad',
      answer: 'No',
      why: 'A scenario signed it with a secret that no webhook has. A receiver that verifies answers 400 or 401.',
    }
  const stamped = Number(headers['webhook-timestamp']) * 1_000
  const behind = toTimestamp(at) - stamped
  if (fault === 'stale-timestamp')
    return {
      tone: 'warning',
      answer: 'Only if it accepts old timestamps',
      why: `The signature is right, but the timestamp is ${toDurationText(Math.abs(behind))} older than the attempt. A receiver that checks it refuses.`,
    }
  const several =
    signatures.length > 1 ? ` It has ${signatures.length} signatures, since the secret was rotated: one is enough.` : ''
  // A timestamp of the machine's clock would differ from the attempt's time by about `off`.
  if (Math.abs(off) > tolerance && Math.abs(behind) < Math.abs(off) / 2)
    return {
      tone: 'warning',
      answer: 'Only by the world’s time',
      why: `The signature is right.${several} But the world’s clock is ${toDurationText(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} this machine’s, and so is the timestamp: a receiver that compares it with its own clock, as libraries do to within 5 min, refuses. The assumption webhooks.timestamp=real stamps with the machine’s time.`,
    }
  return {
    tone: 'good',
    answer: 'Yes',
    why: `The signature is right, and the timestamp is the time of the attempt.${several}`,
  }
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
