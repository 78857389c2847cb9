import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { toJson } from '../../../core/http/json.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { Button, Menu } from '../../components/controls.tsx'
import { downloadText, toast } from '../../components/toast.tsx'
import { type FormField, toFields } from '../../components/form/draft.ts'
import { useCommands } from '../../components/keys.ts'
import { FilterToggle, Link, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { RelativeTime } from '../../components/marks.tsx'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { toCountText, toPlural } from '../../components/words.ts'
import { readRecords, type CollectionSummary, type RecordValue } from '../../data/control.ts'
import { type Panel, useAnswer, usePanel, useResource } from '../../data/panel.ts'
import { useHolders, withHolders } from './accounts.tsx'
import { filteredFields, recordEvents, wherePrefix } from './queries.ts'
import { NewRecord, RecordDetail } from './record-detail.tsx'

export function RecordsView({
  collection,
  collections,
  nav,
}: {
  collection: CollectionSummary
  collections: readonly CollectionSummary[]
  nav: ComponentChildren
}) {
  const { router } = usePanel()
  const { name, title } = collection
  const { params, rest } = router.route.value
  const columns = useMemo(() => columnsOf(collection), [collection])
  const holders = useHolders(name)
  const opened = rest[1]
  const from = params['new']
  const close = () =>
    router.go(
      {
        rest: [name],
        params: { new: undefined },
      },
      true,
    )
  const shared = {
    collection,
    collections,
    onClose: close,
  }
  const add = () =>
    router.go({
      rest: [name],
      params: { new: '' },
    })
  const addTitle = name === 'keys' ? 'Generate key' : `Add to ${name}`
  const addButton = (
    <Button kind="primary" icon="plus" title={`${addTitle} (n)`} onClick={add} text={addTitle} />
  )

  useCommands([{ keys: 'n', title: 'Add a record', run: add }])
  return (
    <>
      <ViewHead
        title={title}
        of="Data"
        search={{ label: `Filter ${name} by text`, placeholder: 'Any field' }}
        actions={
          <>
            {addButton}
            <ExportMenu collection={collection} />
          </>
        }
      >
        <FieldFilters />
      </ViewHead>
      <Owner />
      <div class="split">
        {nav}
        <div class="split-list data-list">
          <RecordsTable
            collection={collection}
            columns={withHolders(name, columns, holders)}
            addButton={addButton}
          />
        </div>
        {from !== undefined && <NewRecord key={from} from={from} {...shared} />}
        {from === undefined && opened !== undefined && (
          <RecordDetail key={opened} id={opened} holders={holders} {...shared} />
        )}
      </div>
    </>
  )
}

/** Behind a proxy, says whose records are shown. */
function Owner() {
  const targets = useAnswer('GET /start').value?.targets
  if (targets === undefined) return null
  const services = [...new Set(Object.values(targets))].join(' and ')
  return (
    <p class="callout below">
      These are records of the mock. Requests that are forwarded to {services} see the records of
      the service, which may be others.
    </p>
  )
}

function ExportMenu({ collection }: { collection: CollectionSummary }) {
  const panel = usePanel()
  const items = [
    {
      title: `Export ${collection.name}`,
      run: () => exportFixtures(panel, collection),
    },
    {
      title: 'Export the whole world',
      run: () => exportFixtures(panel),
    },
  ]
  return <Menu label="Export" items={items.map((one) => ({ ...one, icon: 'download' }))} />
}

const pageSize = 50

function NoRecords({
  name,
  isFiltered,
  addButton,
}: {
  name: string
  isFiltered: boolean
  addButton: ComponentChildren
}) {
  const { router } = usePanel()
  if (isFiltered)
    return (
      <EmptyState
        title={`No ${name} match the filter`}
        action="Clear the filter"
        onAction={() => router.go({ view: 'data', rest: [name] })}
      />
    )
  return (
    <EmptyState title={`There are no ${name} yet`}>
      Create some through the API, in fixture files, or here: {addButton}
    </EmptyState>
  )
}

function RecordsTable({
  collection: { name, title, id },
  columns,
  addButton,
}: {
  collection: CollectionSummary
  columns: readonly Column<RecordValue>[]
  addButton: ComponentChildren
}) {
  const { control, router } = usePanel()
  const { params, rest } = router.route.value
  const { search, sort } = params
  const number = /^[1-9]\d{0,5}$/.test(params['page'] ?? '') ? Number(params['page']) : 1
  const filters = filteredFields(params).map((field) => wherePrefix + field)
  const query = {
    search,
    sort,
    ...Object.fromEntries(filters.map((filter) => [filter, params[filter]])),
    limit: pageSize,
    offset: (number - 1) * pageSize,
  }
  const page = useResource(() => readRecords(control, name, query), [toJson(query)], recordEvents)
  const open = (key: string) =>
    router.go(
      {
        rest: [name, key],
        params: { new: undefined },
      },
      rest[1] !== undefined,
    )
  const isFiltered = Boolean(search) || filters.length > 0
  return (
    <Loaded resource={page}>
      {({ data, total = data.length }) => {
        if (total === 0) return <NoRecords {...{ name, isFiltered, addButton }} />
        return (
          <>
            <Table
              label={title}
              columns={columns.map((column, index) => ({
                ...column,
                isExtra: index >= columnsOnNarrow,
              }))}
              rows={data}
              keyOf={(record) => String(record[id])}
              sort={sort}
              onSort={(sort) => router.setParam('sort', sort)}
              onOpen={(record) => open(String(record[id]))}
              opened={rest[1]}
            />
            <Pages number={number} total={total} />
          </>
        )
      }}
    </Loaded>
  )
}

function Pages({ number, total }: { number: number; total: number }) {
  const { router } = usePanel()
  const last = Math.max(1, Math.ceil(total / pageSize))
  const first = Math.min(total, (number - 1) * pageSize + 1)
  const go = (to: number) =>
    router.go({ params: { page: to === 1 ? undefined : String(to) } }, true)
  const records = toPlural(total, 'record')
  return (
    <footer class="data-pages row">
      <span class="muted" role="status">
        {total <= pageSize
          ? records
          : `${toCountText(first)}–${toCountText(Math.min(total, number * pageSize))} of ${records}`}
      </span>
      <span class="spacer" />
      {(last > 1 || number > 1) && (
        <>
          <Button
            disabled={number <= 1}
            onClick={() => go(Math.min(number - 1, last))}
            text="Previous"
          />
          <small>{`${toCountText(number)} of ${toCountText(last)}`}</small>
          <Button disabled={number >= last} onClick={() => go(number + 1)} text="Next" />
        </>
      )}
    </footer>
  )
}

const columnsOnNarrow = 3

function columnsOf({ id, relations, schema }: CollectionSummary): Column<RecordValue>[] {
  const rank = ({ name, kind }: FormField) => {
    if (name === id) return 0
    if (relations[name]) return 2
    return kind === 'json' ? 3 : 1
  }
  const sorted = toFields(schema).sort((one, other) => rank(one) - rank(other))
  return sorted.map((field) => ({
    id: field.name,
    title: field.title,
    align:
      (field.kind === 'integer' || field.kind === 'number') && field.name !== id ? 'end' : 'start',
    cell: (record) => (
      <Cell
        kind={field.name === id ? 'id' : field.kind}
        value={record[field.name]}
        target={relations[field.name]}
      />
    ),
  }))
}

const longest = 200

function Cell({
  kind,
  value,
  target,
}: {
  kind: FormField['kind'] | 'id'
  value: unknown
  target: string | undefined
}) {
  if (value === undefined || value === null)
    return (
      <span class="muted" title={value === null ? 'null' : 'not set'}>
        –
      </span>
    )
  const text = toCellText(value)
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  if (target !== undefined)
    return (
      <Link class="data-cell clip mono" to={{ view: 'data', rest: [target, text] }} text={shown} />
    )
  if (kind === 'stored-time' && typeof value === 'number') return <RelativeTime at={toIso(value)} />
  if (kind === 'time' && typeof value === 'string') return <RelativeTime at={value} />
  return (
    <span
      class={`data-cell clip ${kind === 'id' || typeof value === 'object' ? 'mono' : ''}`}
      title={shown}
    >
      {shown}
    </span>
  )
}

function toCellText(value: unknown): string {
  if (!Array.isArray(value)) {
    if (typeof value === 'object') return toJson(value)
    return String(value)
  }
  if (value.every((item) => typeof item === 'string')) return value.join(', ')
  if (value.length === 0) return '[]'
  return `${value.length} × {…}`
}

function FieldFilters() {
  const { router } = usePanel()
  const { params } = router.route.value
  const add = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const [, name, value] = /^(\w+)=(.+)$/.exec(currentTarget.value.trim()) ?? []
    if (name === undefined) return
    currentTarget.value = ''
    router.setParam(wherePrefix + name, value)
  }
  return (
    <>
      {filteredFields(params).map((name) => (
        <FilterToggle
          key={name}
          param={wherePrefix + name}
          text={`${name} is ${params[wherePrefix + name]}`}
        />
      ))}
      <input
        class="input"
        aria-label="Filter by a field"
        placeholder="field=value"
        autocomplete="off"
        spellcheck={false}
        onChange={add}
      />
    </>
  )
}

async function exportFixtures({ control, world }: Panel, only?: CollectionSummary) {
  const name = world.name.peek()
  const { data } = only
    ? await control.call('GET /worlds/{world}/export/{collection}', {
        collection: only.name,
      })
    : await control.call('GET /worlds/{world}/export')
  const file = (only && data[0]?.file) ?? `${name}.yaml`
  downloadText(file, data.map(({ text }) => text).join('\n'), 'application/yaml')
  const others = [...new Set(Object.values(only?.relations ?? {}))]
    .map((other) => ` and ${other}.yaml`)
    .join('')
  const hidden = data.reduce((sum, one) => sum + one.hidden, 0)
  const replaced = hidden > 0 ? ` Placeholders replace ${toPlural(hidden, 'secret')}.` : ''
  toast(`Saved ${file}. Put it${others} into a folder and start with --fixtures FOLDER.${replaced}`)
}
