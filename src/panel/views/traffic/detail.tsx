import type { ComponentChildren } from 'preact'
import { Fact, Facts, HttpMessage } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, ClockTime, Duration, Mark, StatusBadge, toneOfStatus } from '../../components/marks.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { toBytesText, toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { JournalEntry, RequestEvent, Verdict } from '../../data/shapes.ts'
import { CallError } from '../../../control/client/errors.ts'
import { Actions, type ActionsProps } from './actions.tsx'

interface TrafficDetailProps {
  readonly id: number
  readonly outline: RequestEvent | undefined
  readonly onClose: () => void
}

export function TrafficDetail({ id, outline, onClose }: TrafficDetailProps) {
  const { control } = usePanel()
  // Reads again when the request appears in the list, and when its reply is complete.
  const entry = useResource(
    () => control.call('GET /worlds/{world}/journal/{id}', { path: { id: String(id) } }),
    [id, outline === undefined, outline?.pending],
  )
  const value = entry.value.value
  const shown = value ?? outline
  const error = entry.error.value
  const isGone = shown && error instanceof CallError && error.code === 'unknown_entry'
  return (
    <Detail
      label={`Request ${id}`}
      title={shown ? `${shown.request.method} ${shown.request.url}` : `Request ${id}`}
      onClose={onClose}
    >
      {shown && <Summary entry={shown} keyName={outline?.key} />}
      {shown && <Why entry={shown} />}
      {shown && <Violations entry={shown} />}
      {value && <Actions entry={value} keyName={outline?.key} />}
      {error && !isGone && <ErrorState error={error} onRetry={entry.reload} />}
      {isGone && (
        <p class="muted actions">
          The journal dropped this entry to make room for newer ones: headers and bodies are gone.
        </p>
      )}
      {value ? (
        <Tabs
          label="Parts of the request"
          param="face"
          tabs={[
            {
              id: 'reply',
              title: 'Reply',
              render: () => <HttpMessage {...value.response} what="reply" {...missingOf(value, 'response')} />,
            },
            {
              id: 'request',
              title: 'Request',
              render: () => <HttpMessage {...value.request} what="request" {...missingOf(value, 'request')} />,
            },
            {
              id: 'decisions',
              title: 'Decisions',
              count: value.verdicts?.length ?? 0,
              render: () => <Decisions entry={value} />,
            },
            { id: 'timing', title: 'Timing', render: () => <Timing entry={value} /> },
          ]}
        />
      ) : (
        !error && <Skeleton lines={8} />
      )}
    </Detail>
  )
}

function missingOf({ omitted = [], cut = [] }: JournalEntry, part: 'request' | 'response') {
  return {
    omitted: omitted.filter((name) => name.startsWith(part)).map((name) => name.slice(part.length + 1)),
    isCut: cut.includes(`${part}.body`),
  }
}

function Summary({ entry, keyName }: { readonly entry: RequestEvent | JournalEntry } & Pick<ActionsProps, 'keyName'>) {
  const { router } = usePanel()
  const { at, id, operation, response, pending, aborted, ms } = entry
  return (
    <div class="row detail-facts">
      <StatusBadge status={response.status} pending={pending === true} aborted={aborted === true} />
      {aborted && <Badge tone="gone">ended early</Badge>}
      <span>
        {pending ? 'so far ' : ''}
        <Duration ms={ms} />
      </span>
      <span class="muted">
        <ClockTime at={at} />
      </span>
      {keyName !== undefined && <span class="mono">{keyName}</span>}
      <span class="muted">no. {id}</span>
      {operation && (
        <Button
          kind="quiet"
          icon="filter"
          title="Show only this operation"
          onClick={() => router.setParam('operation', operation)}
          text={operation}
        />
      )}
    </div>
  )
}

function Timing({ entry }: { readonly entry: JournalEntry }) {
  const { at, ms, bytes, pending, aborted, verdicts = [] } = entry
  const delays = verdicts.filter(({ fired, effect }) => fired && effect.startsWith('fault.'))
  return (
    <Facts kind="facts-headers">
      <Fact title="Received at">{at}</Fact>
      <Fact title={pending ? 'Took so far' : 'Took'}>
        <Duration ms={ms} />
      </Fact>
      <Fact title="Sent">{bytes === undefined ? 'nothing yet' : toBytesText(bytes)}</Fact>
      <Fact title="Ended">
        {pending ? 'not yet' : aborted ? 'early: the connection was cut, or the client disconnected' : 'complete'}
      </Fact>
      {delays.map(({ scenario, effect, why }) => (
        <Fact key={scenario + effect} title={scenario}>
          {effect}: {why}
        </Fact>
      ))}
    </Facts>
  )
}

const columns: readonly Column<Verdict>[] = [
  {
    id: 'fired',
    title: 'Acted',
    cell: ({ fired }) => <Badge tone={fired ? 'note' : 'plain'}>{fired ? 'yes' : 'no'}</Badge>,
  },
  { id: 'scenario', title: 'Scenario', cell: ({ scenario }) => scenario },
  { id: 'effect', title: 'Effect', cell: ({ effect }) => <code>{effect}</code> },
  { id: 'why', title: 'Why', cell: ({ why }) => why },
]

function Decisions({ entry: { verdicts, omitted = [] } }: { readonly entry: JournalEntry }) {
  if (omitted.includes('verdicts')) return <p class="muted">They were too large for the journal.</p>
  if (!verdicts || verdicts.length === 0)
    return (
      <EmptyState title="No scenario was active">Switch one on to see here what it did with each request.</EmptyState>
    )
  return (
    <Table
      label="Decisions"
      columns={columns}
      rows={verdicts}
      keyOf={({ scenario, effect }) => `${scenario} ${effect}`}
    />
  )
}

function Why({ entry }: { readonly entry: RequestEvent | JournalEntry }) {
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

function Violations({ entry: { violations = [] } }: { readonly entry: RequestEvent | JournalEntry }) {
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
