import { useSignal } from '@preact/signals'
import { systemNow } from '../../../core/time/clock.ts'
import { Badge, Button, CopyButton, FieldRow } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import type { AttemptSummary } from '../../data/shapes.ts'
import { judgeSignature, sign, toSigned } from './signing.ts'

/** The most characters of the signed text that are shown. */
const shownOfSigned = 160

/** The signature of an attempt, and whether the receiver could verify it. */
export function Signature({ attempt, body }: { readonly attempt: AttemptSummary; readonly body: string }) {
  const { router, world } = usePanel()
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
        {why.includes('assumption') && <a href={router.href({ view: 'assumptions' })}>Assumptions</a>}
      </div>
      {headers?.['webhook-signature'] && (
        <>
          <h3 class="part-head">How it is computed</h3>
          <ol class="webhooks-steps">
            <li>
              Join <code>webhook-id</code>, <code>webhook-timestamp</code> and the body, byte by byte as it was sent,
              with full stops:
              <pre class="code">{shorten(toSigned(headers, body))}</pre>
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

/** A form that checks a secret against the signature; the secret stays in the page. */
function CheckSecret({ text, signature }: { readonly text: string; readonly signature: string }) {
  const secret = useSignal('')
  const error = useSignal('')
  const result = useSignal<boolean | undefined>(undefined)
  const check = async () => {
    error.value = ''
    result.value = undefined
    try {
      const computed = await sign(secret.peek(), text)
      result.value = signature.split(' ').includes(computed)
    } catch (thrown) {
      error.value = (thrown as Error).message
    }
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void check()
      }}
    >
      <FieldRow
        title="Check your secret"
        hint="The one that your receiver uses. It does not leave this page."
        error={error.value}
        isRequired
      >
        {(ids) => (
          <div class="row input-row">
            <input
              {...ids}
              class="input mono"
              type="text"
              placeholder="whsec_…"
              autocomplete="off"
              spellcheck={false}
              value={secret.value}
              onInput={(event) => {
                secret.value = event.currentTarget.value
                result.value = undefined
              }}
            />
            <Button type="submit">Check</Button>
          </div>
        )}
      </FieldRow>
      <p role="status">
        {result.value !== undefined && (
          <Badge tone={result.value ? 'good' : 'bad'}>
            {result.value ? 'It gives this signature' : 'It gives another signature: the receiver has a wrong secret'}
          </Badge>
        )}
      </p>
    </form>
  )
}

function shorten(text: string): string {
  return text.length <= shownOfSigned ? text : `${text.slice(0, shownOfSigned)}… (${text.length} characters)`
}
