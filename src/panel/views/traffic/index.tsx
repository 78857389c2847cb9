import { useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Button, Menu } from '../../components/controls.tsx'
import { useCommands } from '../../components/keys.ts'
import {
  FilterSelect,
  FilterToggle,
  ViewHead,
  type ViewHeadProps,
} from '../../components/layout.tsx'
import { EmptyState, lazy } from '../../components/content.tsx'
import { toCountText, toPlural } from '../../components/words.ts'
import { useAnswer, usePanel } from '../../data/panel.ts'
import { clearTraffic, openCase } from '../../frame/world-actions.ts'
import { Connect } from './connect.tsx'
import { saveArchive, saveCase } from './entry-actions.tsx'
import { filterEntries, sortEntries, type TrafficLog, trafficLogOf } from './log.ts'
import { List, readEntryId } from './list.tsx'
const Composer = lazy(() => import('./compose.tsx'))
const Report = lazy(() => import('./report.tsx'))

export default function Traffic() {
  const panel = usePanel()
  const { router } = panel
  const log = useMemo(() => trafficLogOf(panel), [panel])
  const { tab, compose: source } = router.params
  useCommands([
    {
      title: 'Pause or resume the traffic',
      keys: 'p',
      run: log.pause,
    },
  ])
  return (
    <>
      {tab === 'report' || tab === 'connect' ? (
        <>
          <TrafficHead>
            {tab === 'report' && <FilterSelect param="result" label="Result" options={results} />}
          </TrafficHead>
          {tab === 'report' ? <Report /> : <Connect />}
        </>
      ) : (
        <Requests log={log} />
      )}
      {source !== undefined && <Composer key={source} source={source} />}
    </>
  )
}

const results = ['failed', 'passed', 'not exercised']

const tabs = [
  [undefined, 'Requests'],
  ['connect', 'Connect'],
  ['report', 'Report'],
] as const

function TrafficHead({ actions, ...head }: Partial<ViewHeadProps>) {
  const { router } = usePanel()
  const { tab: shown, operation = 'plants.list' } = router.params
  return (
    <ViewHead
      title="Traffic"
      parts={tabs.map(([tab, title]) => ({
        title,
        to: { params: { tab } },
        isShown: tab === shown,
      }))}
      actions={
        <>
          <Button
            icon="plus"
            title="Compose a request"
            onClick={() => router.setParam('compose', operation)}
            text="Compose"
          />
          {actions}
        </>
      }
      {...head}
    />
  )
}

function Requests({ log }: { log: TrafficLog }) {
  const { router } = usePanel()
  const shown = useComputed(() => {
    const { params } = router
    return sortEntries(filterEntries(log.entries.value, params), params['sort'])
  }).value
  const opened = readEntryId(router.route.value.rest[0])
  const isEmpty = log.isEmpty.value && opened === undefined
  return (
    <>
      {/* The same head whether there are requests or not: a menu that is open stays so when the first arrives. */}
      <TrafficHead
        actions={<ListActions log={log} />}
        {...(!isEmpty && {
          search: {
            label: 'Filter requests by text',
            placeholder: 'Path, reason, status:4xx',
          },
          count: {
            shown: shown.length,
            all: log.entries.value.length,
            item: 'request',
            note: <Older log={log} />,
          },
          children: <Filters />,
        })}
      />
      <Unrecorded />
      {isEmpty ? (
        <>
          <EmptyState
            title="No requests yet"
            text="Connect a client as below: what it sends appears here at once."
          />
          <Connect />
        </>
      ) : (
        <List {...{ log, shown, opened }} />
      )}
    </>
  )
}

function Older({ log }: { log: TrafficLog }) {
  const older = log.isLoading.value ? 0 : log.older.value
  return older > 0 && <span title={whyOlder}>{`, ${toCountText(older)} older gone`}</span>
}

const whyOlder =
  'The journal of a world keeps the newest requests only: the setting journal.entries says how many, --memory how much.'

function ListActions({ log }: { log: TrafficLog }) {
  const panel = usePanel()
  const total = log.entries.value.length
  const news = log.waiting.value > 0 ? `, ${toCountText(log.waiting.value)} new` : ''
  return (
    <>
      {log.isPaused.value ? (
        <Button icon="play" pressed onClick={log.pause} text={`Resume${news}`} />
      ) : (
        <Button icon="pause" label="Pause: no request is lost meanwhile (p)" onClick={log.pause} />
      )}
      <Menu
        label="Open, save or clear the traffic"
        items={[
          { title: 'Open a case or HAR…', icon: 'plus', run: () => openCase(panel) },
          {
            title: 'Save as a case',
            icon: 'download',
            disabled: total === 0,
            run: () => saveCase(panel),
          },
          {
            title: 'Download as HAR',
            icon: 'download',
            disabled: total === 0,
            run: () => saveArchive(panel),
          },
          {
            title: 'Clear the traffic…',
            icon: 'trash',
            kind: 'danger',
            run: () => clearTraffic(panel),
          },
        ]}
      />
    </>
  )
}

const statuses = ['2xx', '3xx', '4xx', '5xx', { value: 'cut', title: 'Cut' }]

function Filters() {
  const { scenario = '*', assumption } = usePanel().router.params
  const { data: operations = [] } = useAnswer('GET /operations').value ?? {}
  return (
    <>
      <FilterSelect param="status" label="Status" options={statuses} />
      <FilterSelect param="operation" label="Operation" options={operations.map(({ id }) => id)} />
      <FilterToggle param="errors" text="Errors only" />
      <FilterToggle
        param="scenario"
        value="*"
        title="Requests that a scenario changed"
        text={scenario === '*' ? 'Changed' : `Changed by ${scenario}`}
      />
      <FilterToggle param="violations" title="Requests that break the contract" text="Slips" />
      {assumption && <FilterToggle param="assumption" text={`Depended on ${assumption}`} />}
    </>
  )
}

/**
 * What a kind of request was, and what lets it reach a world. The codes of other errors stand for
 * themselves.
 */
const kinds: Record<string, readonly [what: string, cure: string]> = {
  foreign_page: ['from a page of another origin', '--cors ORIGIN allows it'],
  foreign_host: ['for another Host', '--allow-host NAME allows it'],
  lower_case_method: ['with a method in small letters', 'write PATCH, not patch'],
  headers_too_large: ['with more than 16 KiB of headers', 'send smaller ones'],
  tls: [
    'with https in place of http, or the other way round',
    'see the URL that the server prints',
  ],
  request_timeout: ['that stopped half-way', 'send the whole request'],
  invalid_http: ['that are not HTTP', 'look at what the client sends'],
  unknown_scenario: ['with an unknown scenario', 'look at X-Greenhouse-Scenario'],
  unauthorized: ['of the control API without its token', 'send the value of --token'],
}

/** Requests that came as they should, and reach no world. */
const expected = ['preflight', 'handled']

/** One line about requests that reached no world, which no list has. */
function Unrecorded() {
  const { unrecorded = {} } =
    useAnswer('GET /worlds/{world}/journal', { limit: 1 }, ['unrecorded']).value ?? {}
  const counts = Object.entries(unrecorded).filter(([kind]) => !expected.includes(kind))
  if (counts.length === 0) return null
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <p class="callout callout-warning below breaks" role="status">
      {toPlural(total, 'request')} reached no world:{' '}
      {counts
        .map(([kind, count]) => {
          const [what, cure] = kinds[kind] ?? [`refused as ${kind}`, undefined]
          return `${toCountText(count)} ${what}${cure === undefined ? '' : ` (${cure})`}`
        })
        .join(', ')}
      .
    </p>
  )
}
