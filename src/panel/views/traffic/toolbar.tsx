import {
  Button,
  downloadText,
  Icon,
  Menu,
  pretty,
  Select,
  toCountText,
  toPlural,
  ViewHead,
} from '../../components/index.ts'
import { clearTraffic } from '../../frame/clear-traffic.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { TrafficFilter } from './filter.ts'
import { harEntries, harOf } from './har.ts'
import type { TrafficLog } from './log.ts'

const statuses = [
  { value: '', title: 'Any status' },
  { value: '2xx', title: '2xx' },
  { value: '3xx', title: '3xx' },
  { value: '4xx', title: '4xx' },
  { value: '5xx', title: '5xx' },
  { value: 'cut', title: 'Cut' },
]

const whyOlder =
  'The journal of a world keeps the newest requests only: --journal-memory and createGreenhouse({ journal }) say how many.'

export interface TrafficToolbarProps {
  readonly log: TrafficLog
  readonly filter: TrafficFilter
  /** The number of entries that match the filter. */
  readonly found: number
}

/** The list's filters, and buttons to pause, clear and download it. */
export function TrafficToolbar({ log, filter, found }: TrafficToolbarProps) {
  const panel = usePanel()
  const { api, router, world } = panel
  const name = world.name.value
  const operations = useResource(() => api.operations(), []).value.value ?? []
  const total = log.entries.value.length
  const older = log.isLoading.value ? 0 : log.older.value
  const chosen = harEntries.value.size
  const isOtherStatus = filter.status !== '' && !statuses.some(({ value }) => value === filter.status)
  const saveHar = async (ids?: ReadonlySet<number>) =>
    downloadText(`${name}.har`, pretty(await harOf(api, name, ids)), 'application/json')
  return (
    <ViewHead
      title="Traffic"
      kind="traffic-toolbar"
      filter={{
        label: 'Filter requests by text',
        placeholder: 'Path, operation, key, reason',
        value: filter.search,
        onChange: (value) => router.setParam('search', value),
      }}
    >
      <Select
        label="Status"
        value={filter.status}
        options={isOtherStatus ? [...statuses, { value: filter.status, title: filter.status }] : statuses}
        onChange={(value) => router.setParam('status', value)}
      />
      <Select
        label="Operation"
        value={filter.operation}
        options={[
          { value: '', title: 'Any operation' },
          ...operations.map(({ id }) => ({ value: id as string, title: id as string })),
        ]}
        onChange={(value) => router.setParam('operation', value)}
      />
      <Button
        pressed={filter.errorsOnly}
        onClick={() => router.setParam('errors', filter.errorsOnly ? undefined : 'true')}
      >
        Errors only
      </Button>
      <Button
        pressed={filter.scenario !== ''}
        onClick={() => router.setParam('scenario', filter.scenario === '' ? '*' : undefined)}
      >
        {filter.scenario === '' || filter.scenario === '*' ? 'Changed by a scenario' : `Changed by ${filter.scenario}`}
      </Button>
      <Button
        pressed={filter.violationsOnly}
        title="Requests that break the contract"
        onClick={() => router.setParam('violations', filter.violationsOnly ? undefined : 'true')}
      >
        Slips
      </Button>
      {filter.assumption !== '' && (
        <Button pressed icon="close" onClick={() => router.setParam('assumption', undefined)}>
          {`Depended on ${filter.assumption}`}
        </Button>
      )}
      <span class="spacer" />
      <span class="muted traffic-count" role="status">
        {found === total ? toPlural(total, 'request') : `${toCountText(found)} of ${toPlural(total, 'request')}`}
        {older > 0 && <span title={whyOlder}>{`, ${toCountText(older)} older gone`}</span>}
      </span>
      <span class="traffic-pause">
        <Button
          icon={log.isPaused.value ? 'play' : 'pause'}
          pressed={log.isPaused.value}
          title="No request is lost meanwhile (p)"
          onClick={() => log.pause(!log.isPaused.value)}
        >
          {log.isPaused.value
            ? `Resume${log.waiting.value > 0 ? `, ${toCountText(log.waiting.value)} new` : ''}`
            : 'Pause'}
        </Button>
      </span>
      <Menu
        label="Save or clear the traffic"
        kind="icon"
        align="end"
        items={[
          { title: 'Download as HAR', icon: 'download', disabled: total === 0, run: () => saveHar() },
          {
            title: chosen === 0 ? 'Download selected as HAR' : `Download ${chosen} selected as HAR`,
            icon: 'download',
            disabled: chosen === 0,
            run: () => saveHar(harEntries.value),
          },
          {
            title: 'Clear the selection',
            icon: 'close',
            disabled: chosen === 0,
            run: () => (harEntries.value = new Set()),
          },
          { title: 'Clear the traffic…', icon: 'trash', kind: 'danger', run: () => clearTraffic(panel) },
        ]}
      >
        <Icon name="more" />
      </Menu>
    </ViewHead>
  )
}
