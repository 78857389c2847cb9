import { useComputed, useSignalEffect } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import {
  Button,
  EmptyState,
  ErrorState,
  Link,
  Skeleton,
  toPlural,
  useActions,
  useEscape,
  useKeys,
  VirtualList,
} from '../../components/index.ts'
import { useNarrow } from '../../components/narrow.ts'
import { usePanel } from '../../data/panel.ts'
import { TrafficDetail } from './detail.tsx'
import { filterEntries } from './filter.ts'
import { trafficLogOf } from './log.ts'
import { TrafficRow } from './row.tsx'
import { TrafficToolbar } from './toolbar.tsx'

/** The height of a row in pixels: one line, or two on narrow screens. */
const rowHeight = { wide: 32, narrow: 52 }

export default function Traffic() {
  const panel = usePanel()
  const { api, router, world, surface } = panel
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
          <Button onClick={() => router.go({ view: 'traffic' })}>Clear the filter</Button>
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
            const [key] = Object.keys((await api.start()).keys)
            await panel.transport.apiFetch('/plants?limit=3', {
              headers: { ...(key && { authorization: `Bearer ${key}` }), 'x-greenhouse-world': world.name.value },
            })
          }}
        >
          Send GET /plants
        </Button>
      </EmptyState>
    )
  }
}
