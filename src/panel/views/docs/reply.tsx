import { Badge, Duration, Link, StatusBadge } from '../../components/index.ts'
import { HttpMessage } from '../traffic/message.tsx'

export interface ReceivedReply {
  /** 0 if the connection ended before the reply was complete. */
  readonly status: number
  readonly statusText: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ms: number
  readonly entry: number | undefined
}

export function ReplyView({ reply }: { readonly reply: ReceivedReply }) {
  const { status, statusText, headers, body, ms, entry } = reply
  return (
    <section class="callout docs-received" aria-label="Reply">
      <div class="row" role="status">
        <h3>Reply</h3>
        <StatusBadge status={status} />
        <span>{statusText}</span>
        <span class="muted">
          <Duration ms={ms} />
        </span>
        {entry !== undefined && (
          <Link to={{ view: 'traffic', rest: [String(entry)] }}>Why this reply: see it in Traffic</Link>
        )}
      </div>
      {status === 0 ? (
        <Badge tone="gone">The connection ended before the reply was complete.</Badge>
      ) : (
        <HttpMessage headers={headers} body={body} what="reply" omitted={[]} />
      )}
    </section>
  )
}
