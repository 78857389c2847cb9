import { useSignal } from '@preact/signals'
import { Button, CopyButton, HeaderFacts, JsonTree, toBytesText } from '../../components/index.ts'
import { parseAnswer } from '../../data/json.ts'

interface MessageProps {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly what: 'request' | 'reply'
  readonly omitted: readonly string[]
  readonly isCut?: boolean
}

export function HttpMessage({ headers, body, what, omitted, isCut = false }: MessageProps) {
  const isRaw = useSignal(false)
  const value = body === undefined ? undefined : toJsonValue(body)
  return (
    <>
      <div class="row part-head">
        <h3>Body</h3>
        {body !== undefined && <span class="muted">{toBytesText(new TextEncoder().encode(body).length)}</span>}
        <span class="spacer" />
        {value !== undefined && (
          <Button kind="quiet" pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
            Raw
          </Button>
        )}
        {body !== undefined && (
          <CopyButton text={body} what={`${isCut ? 'the beginning of ' : ''}the body of the ${what}`} />
        )}
      </div>
      {isCut && body !== undefined && (
        <p class="muted">The body was longer: the journal keeps its first 64 KiB, and this is no more than that.</p>
      )}
      {body === undefined || body === '' ? (
        <p class="muted">{isCut || omitted.includes('body') ? 'It was too large for the journal.' : 'None.'}</p>
      ) : value === undefined || isRaw.value ? (
        <pre class="code">{body}</pre>
      ) : (
        <JsonTree value={value.json} open={3} />
      )}
      <h3 class="part-head">Headers</h3>
      {Object.keys(headers).length === 0 ? (
        <p class="muted">{omitted.includes('headers') ? 'They were too large for the journal.' : 'None.'}</p>
      ) : (
        <HeaderFacts headers={headers} />
      )}
    </>
  )
}

function toJsonValue(body: string): { readonly json: unknown } | undefined {
  if (!/^\s*[[{]/.test(body)) return undefined
  try {
    return { json: parseAnswer(body) }
  } catch {
    return undefined
  }
}
