import { useComputed, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button } from '../../components/controls.tsx'
import { useActions, useEscape, useKeys } from '../../components/keys.ts'
import { FilterSelect, FilterToggle, Link, ViewHead } from '../../components/layout.tsx'
import { VirtualList } from '../../components/lists.tsx'
import { ClockTime, Duration, Mark, StatusBadge, Tag } from '../../components/marks.tsx'
import { Menu } from '../../components/menu.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { toCountText, toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { RequestEvent } from '../../data/shapes.ts'
import { useNarrow } from '../../data/surface.ts'
import { clearTraffic, openCase } from '../../frame/world-actions.ts'
import { TrafficDetail } from './detail.tsx'
import { filterEntries, harEntries, saveCase, saveHar, type TrafficLog, trafficLogOf } from './log.ts'

/** The height of a row in pixels: one line, or two on narrow screens. */
const rowHeight = { wide: 32, narrow: 52 }

export default function Traffic() {
  const panel = usePanel()
  const { control, router, world, surface } = panel
  const log = useMemo(() => trafficLogOf(panel), [panel])
  const found = useComputed(() => filterEntries(log.entries.value, router.route.value.params))
  const isNarrow = useNarrow()
  const [open] = router.route.value.rest
  const opened = open === undefined || !/^\d{1,15}$/.test(open) ? undefined : Number(open)
  const close = () => router.go({ rest: [] }, true)

  useKeys([{ keys: 'p', title: 'Pause or resume the traffic', run: () => log.pause(!log.isPaused.peek()) }])
  useEscape(opened !== undefined, close)
  useActions([
    {
      id: 'traffic:pause',
      title: 'Pause or resume the traffic',
      keys: 'p',
      run: () => log.pause(!log.isPaused.peek()),
    },
    {
      id: 'traffic:errors',
      title: 'Show only errors',
      keywords: 'filter traffic',
      run: () => router.setParam('errors', 'true'),
    },
  ])
  useSignalEffect(() => {
    surface.setTitle(`${log.entries.value.length > 0 ? `(${log.entries.value.length}) ` : ''}Traffic · Greenhouse`)
  })

  const outline = opened === undefined ? undefined : log.entries.value.find(({ id }) => id === opened)
  return (
    <>
      <TrafficToolbar log={log} found={found.value.length} />
      <div class="split">
        <div class="split-list traffic-list">
          <div class="traffic-row clip-children traffic-head muted" aria-hidden="true">
            <span>Time</span>
            <span>Status</span>
            <span>Method</span>
            <span>Path</span>
            <span>Operation</span>
            <span>Key</span>
            <span>Slips</span>
            <span>Changed by</span>
            <span class="traffic-ms">Took</span>
          </div>
          {log.error.value && <ErrorState error={log.error.value} onRetry={log.reload} />}
          {found.value.length > 0 ? (
            <VirtualList
              label="Requests, the newest first"
              items={found.value}
              keyOf={(entry) => entry.id}
              rowHeight={isNarrow ? rowHeight.narrow : rowHeight.wide}
              opened={opened}
              onOpen={(entry) => router.go({ rest: [String(entry.id)] }, opened !== undefined)}
              render={(entry) => <TrafficRow entry={entry} />}
            />
          ) : (
            !log.error.value && <Nothing />
          )}
        </div>
        {opened !== undefined && <TrafficDetail key={opened} id={opened} outline={outline} onClose={close} />}
      </div>
    </>
  )

  function Nothing() {
    const { length } = log.entries.value
    if (length === 0 && log.isLoading.value) return <Skeleton lines={12} />
    if (length > 0)
      return (
        <EmptyState title="No request matches the filter">
          <p>{toPlural(length, 'request')} did not.</p>
          <Button onClick={() => router.go({ view: 'traffic' })} text="Clear the filter" />
        </EmptyState>
      )
    if (log.isPaused.value)
      return (
        <EmptyState title="The list is paused">
          Requests that are sent meanwhile appear when you resume it (p).
        </EmptyState>
      )
    return (
      <EmptyState title="No requests yet">
        <p>
          Send one to {world.name.value === 'default' ? 'a base URL' : `the world ${world.name.value}`}, and it appears
          here at once. <Link to={{ view: 'overview' }}>Overview</Link> has URLs, keys and code.
        </p>
        <Button
          onClick={async () => {
            const [key] = Object.keys((await control.call('GET /start')).keys)
            await panel.send('/plants?limit=3', {
              headers: { ...(key && { authorization: `Bearer ${key}` }), 'x-greenhouse-world': world.name.value },
            })
          }}
          text="Send GET /plants"
        />
      </EmptyState>
    )
  }
}

function TrafficRow({ entry }: { readonly entry: RequestEvent }) {
  const { at, request, response, operation, pending, key, scenarios, violations, aborted, ms } = entry
  return (
    <div class="traffic-row clip-children">
      <span class="traffic-time muted">
        <ClockTime at={at} isShort />
      </span>
      <StatusBadge status={response.status} pending={pending === true} aborted={aborted === true} />
      <span class="traffic-method">{request.method}</span>
      <span class="traffic-path mono" title={request.url}>
        {request.url}
      </span>
      <span class="traffic-operation muted">{operation ?? 'no operation'}</span>
      <span class="traffic-key muted">{key ?? ''}</span>
      <span class="traffic-broke line" title={violations?.map(({ message }) => message).join('\n')}>
        {violations && (
          <>
            <Mark tone="warning" />
            {violations.length}
            <span class="hidden-text"> slips</span>
          </>
        )}
      </span>
      <span class="traffic-tags">
        {aborted && response.status !== 0 && <Tag>ended early</Tag>}
        {scenarios.map((name) => (
          <Tag key={name}>{name}</Tag>
        ))}
      </span>
      <span class="traffic-ms">{pending ? '…' : <Duration ms={ms} />}</span>
    </div>
  )
}

const whyOlder =
  'The journal of a world keeps the newest requests only: --journal-memory and createGreenhouse({ journal }) say how many.'

function TrafficToolbar({ log, found }: { log: TrafficLog; found: number }) {
  const panel = usePanel()
  const { control, router, world } = panel
  const name = world.name.value
  const { scenario = '', assumption = '' } = router.route.value.params
  const operations = useResource(async () => (await control.call('GET /operations')).data, []).value.value ?? []
  const total = log.entries.value.length
  const older = log.isLoading.value ? 0 : log.older.value
  const chosen = harEntries.value.size
  return (
    <ViewHead
      title="Traffic"
      kind="traffic-toolbar"
      search={{ label: 'Filter requests by text', placeholder: 'Path, key, reason' }}
      count={{
        shown: found,
        all: total,
        item: 'request',
        note: older > 0 && <span title={whyOlder}>{`, ${toCountText(older)} older gone`}</span>,
      }}
      actions={
        <>
          <Button
            icon={log.isPaused.value ? 'play' : 'pause'}
            pressed={log.isPaused.value}
            title="No request is lost meanwhile (p)"
            onClick={() => log.pause(!log.isPaused.value)}
            text={
              log.isPaused.value
                ? `Resume${log.waiting.value > 0 ? `, ${toCountText(log.waiting.value)} new` : ''}`
                : 'Pause'
            }
          />
          <Menu
            label="Open, save or clear the traffic"
            items={[
              { title: 'Open a case or HAR…', icon: 'plus', run: () => openCase(panel) },
              { title: 'Save as a case', icon: 'download', disabled: total === 0, run: () => saveCase(control, name) },
              { title: 'Download as HAR', icon: 'download', disabled: total === 0, run: () => saveHar(control, name) },
              {
                title: chosen === 0 ? 'Download selected as HAR' : `Download ${chosen} selected as HAR`,
                icon: 'download',
                disabled: chosen === 0,
                run: () => saveHar(control, name, harEntries.value),
              },
              {
                title: 'Clear the selection',
                icon: 'close',
                disabled: chosen === 0,
                run: () => (harEntries.value = new Set()),
              },
              { title: 'Clear the traffic…', icon: 'trash', kind: 'danger', run: () => clearTraffic(panel) },
            ]}
          />
        </>
      }
    >
      <FilterSelect
        param="status"
        label="Status"
        any="Any status"
        options={['2xx', '3xx', '4xx', '5xx', { value: 'cut', title: 'Cut' }]}
      />
      <FilterSelect param="operation" label="Operation" any="Any operation" options={operations.map(({ id }) => id)} />
      <FilterToggle param="errors" text="Errors only" />
      <Button
        pressed={scenario !== ''}
        onClick={() => router.setParam('scenario', scenario === '' ? '*' : undefined)}
        text={`Changed by ${scenario === '' || scenario === '*' ? 'a scenario' : scenario}`}
      />
      <FilterToggle param="violations" title="Requests that break the contract" text="Slips" />
      {assumption !== '' && (
        <Button
          pressed
          icon="close"
          onClick={() => router.setParam('assumption', undefined)}
          text={`Depended on ${assumption}`}
        />
      )}
    </ViewHead>
  )
}
