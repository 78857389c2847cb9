import { EmptyState, ErrorState, lazy, Skeleton } from '../../components/content.tsx'
import { SortButton, VirtualList } from '../../components/lists.tsx'
import { ClockTime, Duration, Mark, Sentence, StatusBadge, Tag } from '../../components/marks.tsx'
import { toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import type { RequestEvent } from '../../data/control.ts'
import { CutPath, EntryDetail } from './detail.tsx'
import { pathOf, type TrafficLog } from './log.ts'

const Comparison = lazy(() => import('./compare.tsx'))

export function List({
  log,
  shown,
  opened,
}: {
  log: TrafficLog
  shown: readonly RequestEvent[]
  opened: number | undefined
}) {
  const { router } = usePanel()
  const { sort, with: other } = router.params
  const error = log.error.value
  const open = ({ id }: RequestEvent, event?: MouseEvent) => {
    const isOther = opened !== undefined && opened !== id
    if (isOther && (other === 'next' || event?.shiftKey)) router.setParam('with', String(id))
    else
      router.go(
        {
          rest: [String(id)],
          params: ofOneRequest,
        },
        opened !== undefined,
      )
  }
  return (
    <div class="split">
      <div class="split-list traffic-list">
        <Names />
        {error && <ErrorState error={error} onRetry={log.reload} />}
        {shown.length > 0 ? (
          <VirtualList
            label={sort === undefined ? 'Requests, the newest first' : 'Requests, sorted'}
            items={shown}
            opened={opened}
            onOpen={open}
            hrefOf={({ id }) => router.href({ rest: [String(id)], params: ofOneRequest })}
            render={(entry) => <Row entry={entry} />}
          />
        ) : (
          !error && <Nothing log={log} />
        )}
      </div>
      {opened !== undefined && <Opened log={log} id={opened} />}
    </div>
  )
}

/** The names of the columns, which sort. */
function Names() {
  const { router } = usePanel()
  const { sort = '-id' } = router.params
  const sortBy = (by: string) => router.setParam('sort', by === '-id' ? undefined : by)
  return (
    <div
      class="traffic-row clip-children traffic-names muted"
      role="group"
      aria-label="Sort the requests"
    >
      {columns.map(([title, id]) => (
        <span key={title}>
          <SortButton {...{ id, title, sort }} onSort={sortBy} />
        </span>
      ))}
    </div>
  )
}

function Opened({ log, id }: { log: TrafficLog; id: number }) {
  const { router } = usePanel()
  const other = readEntryId(router.params['with'])
  const close = () =>
    router.go(
      {
        rest: [],
        params: ofOneRequest,
      },
      true,
    )
  if (other !== undefined)
    return <Comparison key={`${id} ${other}`} ids={[id, other]} onClose={close} />
  const outline = log.entries.value.find((entry) => entry.id === id)
  return <EntryDetail key={id} id={id} outline={outline} onClose={close} />
}

const columns = [
  ['Time', 'id'],
  ['Status', 'status'],
  ['Method', 'method'],
  ['Path', 'path'],
  ['Why', 'why'],
  ['Key', 'key'],
  ['Slips', 'slips'],
  ['Changed by', 'scenario'],
  ['Took', 'ms'],
] as const

/**
 * What belongs to the open request, and ends with it: the one to compare with, and the form for
 * later answers.
 */
const ofOneRequest = {
  with: undefined,
  act: undefined,
}

export function readEntryId(text: string | undefined): number | undefined {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  return undefined
}

function Nothing({ log }: { log: TrafficLog }) {
  const { router } = usePanel()
  const { length } = log.entries.value
  const clear = () => router.go({ view: 'traffic' })
  if (length > 0)
    return (
      <EmptyState title="No request matches the filter" action="Clear the filter" onAction={clear}>
        {toPlural(length, 'request')} did not.
      </EmptyState>
    )
  if (log.isLoading.value) return <Skeleton />
  if (!log.isPaused.value) return <EmptyState title="No requests yet" />
  return (
    <EmptyState
      title="The list is paused"
      text="Requests that are sent meanwhile appear when you resume it (p)."
    />
  )
}

function Row({ entry }: { entry: RequestEvent }) {
  const {
    at,
    request,
    response,
    operation,
    pending,
    key,
    scenarios,
    violations,
    aborted,
    ms,
    reason,
  } = entry
  return (
    <div class="traffic-row clip-children">
      <small>
        <ClockTime at={at} isShort />
      </small>
      <StatusBadge of={entry} />
      <span class="traffic-method">{request.method}</span>
      <CutPath path={pathOf(entry)} />
      <span class="muted traffic-why" title={reason}>
        {reason === undefined ? (operation ?? 'no operation') : <Sentence text={reason} at={at} />}
      </span>
      <small>{key ?? ''}</small>
      <span class="line tight" title={violations?.map(({ message }) => message).join('\n')}>
        {violations && (
          <>
            <Mark tone="warning" />
            {violations.length}
            <span class="hidden-text"> {violations.length === 1 ? 'slip' : 'slips'}</span>
          </>
        )}
      </span>
      <span class="line tight">
        {aborted && response.status !== 0 && <Tag text="ended early" />}
        {scenarios.map((name) => (
          <Tag key={name} text={name} />
        ))}
      </span>
      <span>{pending ? '…' : <Duration ms={ms} />}</span>
    </div>
  )
}
