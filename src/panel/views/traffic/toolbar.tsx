import { Button, FilterSelect, FilterToggle, Menu, toCountText, ViewHead } from '../../components/index.ts'
import { clearTraffic } from '../../frame/clear-traffic.ts'
import { openCase } from '../../frame/open-case.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import { harEntries, saveCase, saveHar } from './har.ts'
import type { TrafficLog } from './log.ts'

const whyOlder =
  'The journal of a world keeps the newest requests only: --journal-memory and createGreenhouse({ journal }) say how many.'

interface TrafficToolbarProps {
  readonly log: TrafficLog
  readonly found: number
}

export function TrafficToolbar({ log, found }: TrafficToolbarProps) {
  const panel = usePanel()
  const { api, router, world } = panel
  const name = world.name.value
  const { scenario = '', assumption = '' } = router.route.value.params
  const operations = useResource(() => api.operations(), []).value.value ?? []
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
          >
            {log.isPaused.value
              ? `Resume${log.waiting.value > 0 ? `, ${toCountText(log.waiting.value)} new` : ''}`
              : 'Pause'}
          </Button>
          <Menu
            label="Open, save or clear the traffic"
            items={[
              { title: 'Open a case or HAR…', icon: 'plus', run: () => openCase(panel) },
              { title: 'Save as a case', icon: 'download', disabled: total === 0, run: () => saveCase(api, name) },
              { title: 'Download as HAR', icon: 'download', disabled: total === 0, run: () => saveHar(api, name) },
              {
                title: chosen === 0 ? 'Download selected as HAR' : `Download ${chosen} selected as HAR`,
                icon: 'download',
                disabled: chosen === 0,
                run: () => saveHar(api, name, harEntries.value),
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
      <FilterToggle param="errors">Errors only</FilterToggle>
      <Button pressed={scenario !== ''} onClick={() => router.setParam('scenario', scenario === '' ? '*' : undefined)}>
        {`Changed by ${scenario === '' || scenario === '*' ? 'a scenario' : scenario}`}
      </Button>
      <FilterToggle param="violations" title="Requests that break the contract">
        Slips
      </FilterToggle>
      {assumption !== '' && (
        <Button pressed icon="close" onClick={() => router.setParam('assumption', undefined)}>
          {`Depended on ${assumption}`}
        </Button>
      )}
    </ViewHead>
  )
}
