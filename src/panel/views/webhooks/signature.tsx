import { useSignal } from '@preact/signals'
import { shorten } from '../../../core/definitions/quote.ts'
import { systemNow } from '../../../core/time/clock.ts'
import { Badge, CopyButton, Link, TextField, useSubmit } from '../../components/index.ts'
import { toMessage } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import type { AttemptSummary } from '../../data/shapes.ts'
import { useFailure } from '../../data/use-failure.ts'
import { judgeSignature, sign, toSigned } from './signing.ts'

const shownOfSigned = 160

export function Signature({ attempt, body }: { readonly attempt: AttemptSummary; readonly body: string }) {
  const { world } = usePanel()
  const off = (world.now.value ?? systemNow()) - systemNow()
  const { tone, answer, why } = judgeSignature(attempt, off)
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
