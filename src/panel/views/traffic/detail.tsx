import { CallError } from '../../../control/client/errors.ts'
import {
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  HttpMessage,
  lazy,
  Skeleton,
  Hint,
} from '../../components/content.tsx'
import { Button } from '../../components/controls.tsx'
import { Detail, Link, Tabs } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import {
  Badge,
  ClockTime,
  Duration,
  Mark,
  Sentence,
  StatusBadge,
  toneOfReply,
} from '../../components/marks.tsx'
import { toBytesText } from '../../components/words.ts'
import { usePanel, useResource } from '../../data/panel.ts'
import type { JournalEntry, RequestEvent, Verdict } from '../../data/control.ts'
import { switchOn } from '../../frame/world-actions.ts'
import { Actions } from './entry-actions.tsx'
import { pathOf } from './log.ts'

const AnswerNext = lazy(() => import('./answer-next.tsx'))

/**
 * What can be done with an open request, below its buttons: `with` in the URL picks another one,
 * `answer` opens the form.
 */
export function EntryDetail({
  id,
  outline,
  onClose,
}: {
  id: number
  outline: RequestEvent | undefined
  onClose: () => void
}) {
  const { control, router } = usePanel()
  // Reads again when the request appears in the list, and when its reply is complete.
  const entry = useResource(
    () => control.call('GET /worlds/{world}/journal/{id}', { id }),
    [id, outline === undefined, outline?.pending],
  )
  const value = entry.value
  const shown = value ?? outline
  const error = entry.error
  const key = outline?.key
  const isGone = shown && error instanceof CallError && error.code === 'unknown_entry'
  return (
    <Detail
      label={`Request ${id}`}
      title={
        shown ? [shown.request.method, ' ', <CutPath path={pathOf(shown)} />] : `Request ${id}`
      }
      titleKind="entry-title line"
      onClose={onClose}
    >
      {shown && (
        <>
          <Why entry={shown} />
          <Summary entry={shown} keyName={key} />
        </>
      )}
      {router.params['with'] === 'next' && (
        <p class="callout" role="status">
          Choose the request to compare with in the list.
        </p>
      )}
      {value && <Whole entry={value} keyName={key} />}
      {!isGone && error && <ErrorState error={error} onRetry={entry.reload} />}
      {isGone && (
        <Hint text="The journal dropped this entry for newer ones: headers and bodies are gone." />
      )}
      {!value && !error && <Skeleton />}
    </Detail>
  )
}

function Whole({ entry, keyName }: { entry: JournalEntry; keyName: string | undefined }) {
  const { act } = usePanel().router.params
  return (
    <>
      <Actions entry={entry} />
      {act === 'answer' && <AnswerNext entry={entry} keyName={keyName} />}
      <Faces entry={entry} />
    </>
  )
}

const tail = 12

export function CutPath({ path }: { path: string }) {
  const isLong = path.length > 2 * tail
  return (
    <span class="cut-path mono" title={path}>
      <span class="clip">{isLong ? path.slice(0, -tail) : path}</span>
      {isLong && <span>{path.slice(-tail)}</span>}
    </span>
  )
}

function Why({ entry }: { entry: RequestEvent | JournalEntry }) {
  const { account, reason, operation, response, pending, scenarios, violations = [] } = entry
  const { near_misses: near = [] } = entry
  const asUsual = `${operation} ran as usual: no scenario changed its reply.`
  const answered = operation ? asUsual : 'No operation has this method and path.'
  const sentence = reason ?? (pending ? 'The reply is not sent yet.' : answered)
  const tone = toneOfReply(entry)
  return (
    <>
      <section
        class="callout"
        style={{ borderColor: `var(--${tone})` }}
        aria-label="Why this reply"
      >
        <p class="breaks">
          <Mark tone={tone} />{' '}
          <span>
            <Sentence text={sentence} at={entry.at} />
          </span>
        </p>
        <Facts>
          <Fact
            title="Scenarios"
            items={scenarios.map((name) => (
              <ActingScenario name={name} verdicts={entry.verdicts} />
            ))}
          />
          {response.status === 429 && account !== undefined && (
            <Fact title="Quota">
              <Link to={{ view: 'data', rest: ['accounts', account] }}>Quota of the plan</Link>
            </Fact>
          )}
          <Fact
            title="Similar"
            items={near.map(({ operation: other, method, path, differs }) => (
              <>
                <Link to={{ params: { compose: other } }}>{`${method} ${path}`}</Link>
                <small> {differs === 'method' ? 'with another method' : 'at another path'}</small>
              </>
            ))}
          />
        </Facts>
      </section>
      {violations.length > 0 && <Slips violations={violations} />}
    </>
  )
}

type ActingScenarioProps = {
  name: string
  verdicts: RequestEvent['verdicts']
}

function ActingScenario({ name, verdicts = [] }: ActingScenarioProps) {
  const effects = verdicts
    .filter(({ fired, scenario }) => fired && scenario === name)
    .map(({ effect }) => effect)
  return (
    <>
      {name.startsWith('inline-') ? (
        name
      ) : (
        <Link to={{ view: 'scenarios', rest: [name] }}>{name}</Link>
      )}
      {effects.length > 0 && <small> by its effect {effects.join(', ')}</small>}
    </>
  )
}

function Slips({ violations }: { violations: NonNullable<RequestEvent['violations']> }) {
  return (
    <section class="callout callout-warning" aria-label="Slips">
      <h3>
        <Mark tone="warning" /> Slips
      </h3>
      <ul>
        {violations.map(({ rule, message }) => (
          <li key={rule + message}>
            {message} <small>{rule}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Summary({
  entry,
  keyName,
}: {
  entry: RequestEvent | JournalEntry
  keyName: string | undefined
}) {
  const { router } = usePanel()
  const { at, id, operation, pending, aborted, ms, bytes } = entry
  return (
    <div class="row detail-facts">
      <StatusBadge of={entry} />
      {aborted && (
        <Badge text="ended early" title="The connection was cut, or the client disconnected" />
      )}
      <span>
        {pending && 'so far '}
        <Duration ms={ms} />
      </span>
      {bytes !== undefined && <span title="Sent">{toBytesText(bytes)}</span>}
      <small>
        <ClockTime at={at} />
      </small>
      {keyName !== undefined && <KeyLink entry={entry} name={keyName} />}
      <small>no. {id}</small>
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

/** The record of the key that was sent, by its fingerprint. */
function KeyLink({
  entry: { request },
  name,
}: {
  entry: RequestEvent | JournalEntry
  name: string
}) {
  const sent = 'headers' in request ? request.headers['authorization'] : undefined
  const [fingerprint] = /\bfp_[0-9a-f]{12}\b/.exec(sent ?? '') ?? []
  if (fingerprint === undefined) return <code>{name}</code>
  return <Link class="mono" to={{ view: 'data', rest: ['keys', fingerprint] }} text={name} />
}

function Faces({ entry }: { entry: JournalEntry }) {
  const panel = usePanel()
  const { cut = [], verdicts = [], operation } = entry
  const malform = (at: string, kind: string, words: string) =>
    switchOn(panel, {
      title: `${operation}: ${at || 'the body'} ${words}`,
      malform: [{ on: operation, at, kind }],
    })
  const show = (part: 'request' | 'response', what: 'request' | 'reply') => (
    <HttpMessage
      {...entry[part]}
      what={what}
      isCut={cut.includes(`${part}.body`)}
      onMalform={what === 'reply' && operation !== undefined ? malform : undefined}
    />
  )
  return (
    <Tabs
      label="Parts of the request"
      param="face"
      tabs={[
        { id: 'reply', title: 'Reply', render: () => show('response', 'reply') },
        { id: 'request', title: 'Request', render: () => show('request', 'request') },
        {
          id: 'decisions',
          title: 'Decisions',
          count: verdicts.length,
          render: () => <Decisions entry={entry} />,
        },
      ]}
    />
  )
}

const columns: readonly Column<Verdict>[] = [
  {
    title: 'Acted',
    cell: ({ fired }) => <Badge text={fired ? 'yes' : 'no'} />,
  },
  { title: 'Scenario', cell: ({ scenario }) => scenario },
  {
    title: 'Effect',
    cell: ({ effect }) => <code>{effect}</code>,
  },
  { title: 'Why', cell: ({ why }) => why },
]

function Decisions({ entry: { verdicts = [], assumptions } }: { entry: JournalEntry }) {
  const keyOf = ({ scenario, effect }: Verdict) => `${scenario} ${effect}`
  return (
    <>
      {verdicts.length === 0 ? (
        <EmptyState
          title="No scenario was active"
          text="Switch one on to see here what it did with each request."
        />
      ) : (
        <Table label="Decisions" columns={columns} rows={verdicts} keyOf={keyOf} />
      )}
      <Facts>
        <Fact
          title="It depended on"
          items={assumptions.map((id) => (
            <Link to={{ view: 'scenarios', params: { tab: 'assumptions', assumption: id } }}>
              {id}
            </Link>
          ))}
        />
      </Facts>
    </>
  )
}
