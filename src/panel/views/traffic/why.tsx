import type { ComponentChildren } from 'preact'
import { Fact, Facts, Link, Mark, toneOfStatus, toPlural } from '../../components/index.ts'
import type { JournalEntry, RequestEvent } from '../../data/shapes.ts'

export function Why({ entry }: { readonly entry: RequestEvent | JournalEntry }) {
  const { account, reason, operation, response, pending, scenarios, assumptions, verdicts = [], near_misses } = entry
  const fired = verdicts.filter((verdict) => verdict.fired)
  const sentence =
    reason ??
    (pending
      ? 'The reply is not sent yet.'
      : operation
        ? `${operation} ran as usual: no scenario changed its reply.`
        : 'No operation has this method and path.')
  return (
    <section class="callout" aria-label="Why this reply">
      <p class="traffic-reason breaks">
        <Mark tone={pending ? 'waiting' : entry.aborted ? 'gone' : toneOfStatus(response.status)} />{' '}
        <span>{sentence}</span>
      </p>
      <Facts>
        {scenarios.length > 0 && (
          <Row title="Scenarios">
            {scenarios.map((name) => {
              const effects = fired.filter(({ scenario }) => scenario === name).map(({ effect }) => effect)
              return (
                <li key={name}>
                  {name.startsWith('inline-') ? name : <Link to={{ view: 'scenarios', rest: [name] }}>{name}</Link>}
                  {effects.length > 0 && <span class="muted"> by its effect {effects.join(', ')}</span>}
                </li>
              )
            })}
          </Row>
        )}
        {response.status === 429 && (
          <Row title="Quota">
            <li>
              <Link to={{ view: 'account', rest: account === undefined ? [] : [account] }}>Quota of the plan</Link>
            </li>
          </Row>
        )}
        {near_misses && near_misses.length > 0 && (
          <Row title="Similar">
            {near_misses.map(({ operation: near, method, path, differs }) => (
              <li key={near}>
                <Link to={{ view: 'docs', rest: [near] }}>{`${method} ${path}`}</Link>
                <span class="muted"> {differs === 'method' ? 'with another method' : 'at another path'}</span>
              </li>
            ))}
          </Row>
        )}
      </Facts>
      {assumptions.length > 0 && (
        <details class="muted">
          <summary>{`It depended on ${toPlural(assumptions.length, 'assumption')}`}</summary>
          <ul class="inline-list">
            {assumptions.map((id) => (
              <li key={id}>
                <Link to={{ view: 'assumptions', rest: [id] }}>{id}</Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

export function Violations({ entry: { violations = [] } }: { readonly entry: RequestEvent | JournalEntry }) {
  if (violations.length === 0) return null
  return (
    <section class="callout callout-warning" aria-label="Slips">
      <h3>
        <Mark tone="warning" /> Slips
      </h3>
      <ul>
        {violations.map(({ rule, message }) => (
          <li key={rule + message}>
            {message} <span class="muted">{rule}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <Fact title={title}>
      <ul class="inline-list">{children}</ul>
    </Fact>
  )
}
