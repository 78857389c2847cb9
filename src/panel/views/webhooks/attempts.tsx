import { Badge, ClockTime, Duration, EmptyState, RelativeTime, Timeline } from '../../components/index.ts'
import type { AttemptSummary, DeliverySummary } from '../../data/shapes.ts'
import { isAccepted } from './shapes.ts'
import { AttemptAnswer } from './status.tsx'

const faults = {
  'stale-timestamp': 'sent with an old timestamp by a scenario',
  'bad-signature': 'sent with a wrong signature by a scenario',
}

export function Attempts({ delivery, now }: { readonly delivery: DeliverySummary; readonly now: string | undefined }) {
  const { attempts, next_attempt_at, status, created_at } = delivery
  if (attempts.length === 0 && next_attempt_at === null)
    return (
      <EmptyState title="No attempt was made">
        {status === 'lost' ? 'A scenario dropped it: the receiver never gets it.' : 'No attempt is due.'}
      </EmptyState>
    )
  const points = [
    ...attempts.map((one, place) => ({
      id: String(place),
      at: one.at,
      title: `Attempt ${place + 1}: ${one.status ?? one.error ?? 'no answer'}`,
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
        {attempts.map((one, place) => (
          <li key={place}>
            <Attempt attempt={one} number={place + 1} />
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
