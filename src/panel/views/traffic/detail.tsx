import {
  Badge,
  Button,
  ClockTime,
  Detail,
  Duration,
  ErrorState,
  Skeleton,
  StatusBadge,
  Tabs,
} from '../../components/index.ts'
import { ApiFailure } from '../../data/failure.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { JournalEntry, RequestEvent } from '../../data/shapes.ts'
import { Actions, type ActionsProps } from './actions.tsx'
import { Decisions } from './decisions.tsx'
import { HttpMessage } from './message.tsx'
import { Timing } from './timing.tsx'
import { Violations, Why } from './why.tsx'

interface TrafficDetailProps {
  readonly id: number
  readonly outline: RequestEvent | undefined
  readonly onClose: () => void
}

export function TrafficDetail({ id, outline, onClose }: TrafficDetailProps) {
  const { api, router, world } = usePanel()
  // Reads again when the request appears in the list, and when its reply is complete.
  const entry = useResource(() => api.journalEntry(world.name.value, id), [id, outline === undefined, outline?.pending])
  const tab = router.route.value.params['face'] ?? 'reply'
  const value = entry.value.value
  const shown = value ?? outline
  const error = entry.error.value
  const isGone = shown && error instanceof ApiFailure && error.code === 'unknown_entry'
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
        <p class="muted traffic-gone">
          The journal dropped this entry to make room for newer ones: headers and bodies are gone.
        </p>
      )}
      {value ? (
        <Tabs
          label="Parts of the request"
          chosen={tab}
          onChoose={(chosen) => router.setParam('face', chosen === 'reply' ? undefined : chosen)}
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
        >
          {operation}
        </Button>
      )}
    </div>
  )
}
