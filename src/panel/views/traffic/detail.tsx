import type { ComponentChildren } from 'preact'
import { CallError } from '../../../control/client/errors.ts'
import { EmptyState, ErrorState, Fact, Facts, HttpMessage, Skeleton } from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { Badge, ClockTime, Duration, Mark, StatusBadge, toneOfStatus } from '../../components/marks.tsx'
import { toBytesText } from '../../components/words.ts'
import { usePanel, useResource } from '../../data/panel.ts'
import type { JournalEntry, RequestEvent, Verdict } from '../../data/shapes.ts'
import { Actions } from './actions.tsx'

export function EntryDetail({
  id,
  outline,
  onClose,
}: {
  id: number
  outline: RequestEvent | undefined
  onClose: () => void
}) {
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
      title={
        shown ? (
          <>
            {shown.request.method} <CutPath path={shown.request.url} />
          </>
        ) : (
          `Request ${id}`
        )
      }
      titleKind="entry-title line"
      onClose={onClose}
    >
      {shown && <Why entry={shown} />}
      {shown && <Summary entry={shown} keyName={outline?.key} />}
      {value && <Actions entry={value} />}
      {error && !isGone && <ErrorState error={error} onRetry={entry.reload} />}
      {isGone && <p class="muted">The journal dropped this entry for newer ones: headers and bodies are gone.</p>}
      {value ? <Faces entry={value} /> : !error && <Skeleton lines={8} />}
    </Detail>
  )
}

/** How many characters of the end of a path always stay. */
const tail = 12

/** A path that is cut in the middle where it does not fit. Its title is the whole path. */
export function CutPath({ path }: { readonly path: string }) {
  const isLong = path.length > 2 * tail
  return (
    <span class="cut-path mono" title={path}>
      <span class="clip">{isLong ? path.slice(0, -tail) : path}</span>
      {isLong && <span>{path.slice(-tail)}</span>}
    </span>
  )
}

function Why({ entry }: { readonly entry: RequestEvent | JournalEntry }) {
  const { account, reason, operation, response, pending, scenarios, violations = [] } = entry
  const { near_misses: near = [], verdicts = [] } = entry
  const sentence =
    reason ??
    (pending
      ? 'The reply is not sent yet.'
      : operation
        ? `${operation} ran as usual: no scenario changed its reply.`
        : 'No operation has this method and path.')
  const effectsOf = (name: string) =>
    verdicts.filter(({ fired, scenario }) => fired && scenario === name).map(({ effect }) => effect)
  return (
    <>
      <section class="callout" aria-label="Why this reply">
        <p class="breaks">
          <Mark tone={pending ? 'waiting' : entry.aborted ? 'gone' : toneOfStatus(response.status)} />{' '}
          <span>{sentence}</span>
        </p>
        <Facts>
          <Row
            title="Scenarios"
            items={scenarios.map((name) => (
              <>
                {name.startsWith('inline-') ? name : <Link to={{ view: 'scenarios', rest: [name] }}>{name}</Link>}
                {effectsOf(name).length > 0 && <span class="muted"> by its effect {effectsOf(name).join(', ')}</span>}
              </>
            ))}
          />
          {response.status === 429 && account !== undefined && (
            <Row
              title="Quota"
              items={[<Link to={{ view: 'data', rest: ['accounts', account] }}>Quota of the plan</Link>]}
            />
          )}
          <Row
            title="Similar"
            items={near.map(({ operation: other, method, path, differs }) => (
              <>
                <Link to={{ params: { compose: other } }}>{`${method} ${path}`}</Link>
                <span class="muted"> {differs === 'method' ? 'with another method' : 'at another path'}</span>
              </>
            ))}
          />
        </Facts>
      </section>
      {violations.length > 0 && (
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
      )}
    </>
  )
}

function Row({ title, items }: { readonly title: string; readonly items: readonly ComponentChildren[] }) {
  if (items.length === 0) return null
  return (
    <Fact title={title}>
      <ul class="row">
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </Fact>
  )
}

function Summary({ entry, keyName }: { entry: RequestEvent | JournalEntry; keyName: string | undefined }) {
  const { router } = usePanel()
  const { at, id, operation, response, pending = false, aborted = false, ms, bytes } = entry
  return (
    <div class="row detail-facts">
      <StatusBadge status={response.status} pending={pending} aborted={aborted} />
      {aborted && (
        <Badge tone="gone" title="The connection was cut, or the client disconnected">
          ended early
        </Badge>
      )}
      <span>
        {pending && 'so far '}
        <Duration ms={ms} />
      </span>
      {bytes !== undefined && <span title="Sent">{toBytesText(bytes)}</span>}
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

function Faces({ entry }: { readonly entry: JournalEntry }) {
  const { request, response, omitted = [], cut = [], verdicts = [] } = entry
  const missing = (part: 'request' | 'response') => ({
    omitted: omitted.filter((name) => name.startsWith(part)).map((name) => name.slice(part.length + 1)),
    isCut: cut.includes(`${part}.body`),
  })
  return (
    <Tabs
      label="Parts of the request"
      param="face"
      tabs={[
        {
          id: 'reply',
          title: 'Reply',
          render: () => <HttpMessage {...response} what="reply" {...missing('response')} />,
        },
        {
          id: 'request',
          title: 'Request',
          render: () => <HttpMessage {...request} what="request" {...missing('request')} />,
        },
        { id: 'decisions', title: 'Decisions', count: verdicts.length, render: () => <Decisions entry={entry} /> },
      ]}
    />
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

function Decisions({ entry: { verdicts = [], assumptions, omitted = [] } }: { readonly entry: JournalEntry }) {
  const keyOf = ({ scenario, effect }: Verdict) => `${scenario} ${effect}`
  return (
    <>
      {omitted.includes('verdicts') ? (
        <p class="muted">They were too large for the journal.</p>
      ) : verdicts.length === 0 ? (
        <EmptyState title="No scenario was active">Switch one on to see here what it did with each request.</EmptyState>
      ) : (
        <Table label="Decisions" columns={columns} rows={verdicts} keyOf={keyOf} />
      )}
      <Facts>
        <Row
          title="It depended on"
          items={assumptions.map((id) => (
            <Link to={{ view: 'scenarios', params: { tab: 'assumptions', assumption: id } }}>{id}</Link>
          ))}
        />
      </Facts>
    </>
  )
}
