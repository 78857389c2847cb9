import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { toJson } from '../../../core/http/json.ts'
import { toIso, toTimestamp } from '../../../core/time/time-text.ts'
import { type FormField, toFields } from '../../components/form/draft.ts'
import {
  Button,
  type Column,
  Detail,
  EmptyState,
  ErrorState,
  fromSort,
  Link,
  Loaded,
  RelativeTime,
  SchemaForm,
  Skeleton,
  Table,
  toast,
  toCountText,
  toPlural,
  toSort,
  useActions,
  useEscape,
  useKeys,
} from '../../components/index.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, RecordValue } from '../../data/shapes.ts'
import { ProblemsBar } from '../../frame/problems.tsx'
import { filteredFields, pageOf, pageSize, recordEvents, toQuery, wherePrefix } from './query.ts'
import { ExportDialog } from './export-dialog.tsx'
import { useKnownIds } from './known-ids.ts'
import { copyId, suggestId } from './new-id.ts'
import { RecordDetail } from './record-detail.tsx'
import { DataToolbar } from './toolbar.tsx'

interface RecordsProps {
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly nav: ComponentChildren
}

export function RecordsView({ collection, collections, nav }: RecordsProps) {
  const { api, router, world } = usePanel()
  const { name } = collection
  const { params, rest } = router.route.value
  const query = toQuery(params)
  const page = useResource(() => api.records(world.name.value, name, query), [JSON.stringify(query)], {
    reloadOn: recordEvents,
  })
  const fields = useMemo(() => toFields(collection.schema), [collection])
  const columns = useMemo(() => toColumns(collection, fields), [collection, fields])
  const exported = useSignal<'collection' | 'world' | undefined>(undefined)
  const opened = rest[1]
  const from = params['new']
  const close = () => router.go({ rest: [name], params: { new: undefined } }, true)
  const open = (id: string) => router.go({ rest: [name, id], params: { new: undefined } }, opened !== undefined)
  const add = () => router.go({ rest: [name], params: { new: '*' } })

  useEscape(opened !== undefined || from !== undefined, close)
  useKeys([{ keys: 'n', title: 'Add a record', run: add }])
  useActions([
    { id: 'data:add', title: `Add to ${name}`, keywords: 'new create record data', keys: 'n', run: add },
    {
      id: 'data:export',
      title: `Export ${name} as a fixture file`,
      keywords: 'download yaml save data',
      run: () => (exported.value = 'collection'),
    },
    {
      id: 'data:export-world',
      title: 'Export the whole world as fixture files',
      keywords: 'download yaml save data',
      run: () => (exported.value = 'world'),
    },
    ...collections.map((other) => ({
      id: `data:show:${other.name}`,
      title: `Show ${other.name}`,
      keywords: 'data collection records table',
      run: () => router.go({ view: 'data', rest: [other.name] }),
    })),
  ])

  const value = page.value.value
  const error = page.error.value
  const total = value?.total ?? value?.data.length ?? 0
  return (
    <>
      <DataToolbar collection={collection} fields={fields} onAdd={add} onExport={(what) => (exported.value = what)} />
      <div class="split">
        {nav}
        <div class="split-list data-list">
          <ProblemsBar />
          {error && <ErrorState error={error} onRetry={page.reload} />}
          {value === undefined && !error && <Skeleton lines={12} />}
          {value && !error && total === 0 && <Nothing />}
          {value && !error && total > 0 && (
            <>
              <div class="data-scroll">
                <Table
                  label={collection.title}
                  columns={columns}
                  rows={value.data}
                  keyOf={(record) => String(record[collection.id])}
                  sort={toSort(params['sort'])}
                  onSort={(sort) => router.go({ params: { sort: fromSort(sort), page: undefined } }, true)}
                  onOpen={(record) => open(String(record[collection.id]))}
                  opened={opened}
                />
                {value.data.length === 0 && <EmptyState title="This page is empty now" />}
              </div>
              <Pages page={pageOf(params)} size={pageSize} total={total} />
            </>
          )}
        </div>
        {from !== undefined ? (
          <NewRecord
            key={`${from} new`}
            collection={collection}
            collections={collections}
            from={from === '*' ? undefined : from}
            onClose={close}
          />
        ) : (
          opened !== undefined && (
            <RecordDetail key={opened} id={opened} collection={collection} collections={collections} onClose={close} />
          )
        )}
      </div>
      {exported.value && (
        <ExportDialog
          {...(exported.value === 'collection' && { collection })}
          onClose={() => (exported.value = undefined)}
        />
      )}
    </>
  )

  function Nothing() {
    if (params['search'] || filteredFields(params).length > 0)
      return (
        <EmptyState title={`No ${name} match the filter`}>
          <Button onClick={() => router.go({ view: 'data', rest: [name] })}>Clear the filter</Button>
        </EmptyState>
      )
    return (
      <EmptyState title={`There are no ${name} yet`}>
        <p>Create some through the API, in fixture files, or here:</p>
        <Button icon="plus" onClick={add}>
          {`Add to ${name}`}
        </Button>
      </EmptyState>
    )
  }
}

const onNarrow = 3

function toColumns({ id, relations }: CollectionSummary, fields: readonly FormField[]): Column<RecordValue>[] {
  const sorted = [...fields].sort((one, other) => rank(one) - rank(other))
  return sorted.map((field, index) => ({
    id: field.name,
    title: field.title,
    sorts: true,
    isExtra: index >= onNarrow,
    align: (field.kind === 'integer' || field.kind === 'number') && field.name !== id ? 'end' : 'start',
    cell: (record) => (
      <Cell field={field} value={record[field.name]} isId={field.name === id} target={relations[field.name]} />
    ),
  }))

  function rank({ name, kind }: FormField): number {
    if (name === id) return 0
    if (relations[name]) return 2
    return kind === 'json' ? 3 : 1
  }
}

interface PagesProps {
  readonly page: number
  readonly size: number
  readonly total: number
}

function Pages({ page, size, total }: PagesProps) {
  const { router } = usePanel()
  const last = Math.max(1, Math.ceil(total / size))
  const first = (page - 1) * size + 1
  const go = (to: number) => router.go({ params: { page: to === 1 ? undefined : String(to) } }, true)
  return (
    <footer class="data-pages row">
      <span class="muted" role="status">
        {last === 1 && page === 1
          ? toPlural(total, 'record')
          : `${toCountText(Math.min(first, total))}–${toCountText(Math.min(total, page * size))} of ${toPlural(total, 'record')}`}
      </span>
      {(last > 1 || page > 1) && (
        <>
          <span class="spacer" />
          <Button disabled={page <= 1} onClick={() => go(Math.min(page - 1, last))}>
            Previous
          </Button>
          <span class="muted">{`${toCountText(page)} of ${toCountText(last)}`}</span>
          <Button disabled={page >= last} onClick={() => go(page + 1)}>
            Next
          </Button>
        </>
      )}
    </footer>
  )
}

interface CellProps {
  readonly field: FormField
  readonly value: unknown
  readonly isId: boolean
  readonly target: string | undefined
}

const longest = 200

function Cell({ field, value, isId, target }: CellProps) {
  if (value === undefined || value === null)
    return (
      <span class="muted" title={value === null ? 'null' : 'not set'}>
        –
      </span>
    )
  if (target !== undefined && typeof value === 'string')
    return (
      <Link class="data-cell clip mono" to={{ view: 'data', rest: [target, value] }}>
        {value}
      </Link>
    )
  if (field.kind === 'stored-time' && typeof value === 'number') return <RelativeTime at={toIso(value)} />
  if (field.kind === 'time' && typeof value === 'string') return <RelativeTime at={value} />
  const text = formatValue(value)
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return (
    <span class={`data-cell clip ${isId || typeof value === 'object' ? 'mono' : ''}`} title={shown}>
      {shown}
    </span>
  )
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'string')) return value.join(', ')
    return value.length === 0 ? '[]' : `${value.length} × {…}`
  }
  return typeof value === 'object' ? toJson(value) : String(value)
}

interface NewRecordProps {
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly from: string | undefined
  readonly onClose: () => void
}

function NewRecord({ collection, collections, from, onClose }: NewRecordProps) {
  const panel = usePanel()
  const { api, router, world } = panel
  const { name, id: idField } = collection
  const start = useResource(() => (from === undefined ? blank(panel, collection) : copy(panel, collection, from)), [])
  const schema = useKnownIds(collection, collections, start.value.value)
  const add = async (given: Record<string, unknown>) => {
    const shown = world.name.peek()
    const made = await api.createRecord(shown, name, given)
    const id = String(made[idField])
    router.go({ rest: [name, id], params: { new: undefined } }, true)
    toast({
      text: `Added ${name} ${id}`,
      undo: async () => {
        await api.deleteRecord(shown, name, id)
        const { rest } = router.route.peek()
        if (router.world.peek() === shown && rest[0] === name && rest[1] === id) onClose()
      },
    })
  }
  const title = from === undefined ? `Add to ${name}` : `A copy of ${from}`
  return (
    <Detail label={title} title={title} onClose={onClose}>
      {collection.schema.properties === undefined ? (
        <EmptyState title="These records can’t be added here" />
      ) : (
        <Loaded resource={start} lines={10}>
          {(value) =>
            schema ? (
              <SchemaForm
                name={`new ${name} ${from ?? ''}`}
                schema={schema}
                value={value}
                action="Add"
                onSubmit={add}
                onCancel={onClose}
              />
            ) : (
              <Skeleton lines={10} />
            )
          }
        </Loaded>
      )}
    </Detail>
  )
}

async function blank({ api, router, world }: Panel, collection: CollectionSummary): Promise<RecordValue> {
  const { params } = router.route.peek()
  const value: Record<string, unknown> = {}
  for (const field of toFields(collection.schema)) {
    const filtered = params[wherePrefix + field.name]
    if (collection.relations[field.name] && filtered !== undefined) value[field.name] = filtered
    else if (!field.isRequired || field.isNullable) continue
    else if (field.kind === 'stored-time')
      value[field.name] = Math.floor(toTimestamp((await api.clock(world.name.peek())).now))
    else if (field.kind === 'boolean') value[field.name] = false
    else if (field.kind === 'choice') value[field.name] = field.values[0]
  }
  const id = await suggestId(api, world.name.peek(), collection)
  return id === undefined ? value : { ...value, [collection.id]: id }
}

async function copy({ api, world }: Panel, collection: CollectionSummary, from: string): Promise<RecordValue> {
  const name = world.name.peek()
  const [record, suggested] = await Promise.all([
    api.record(name, collection.name, from),
    suggestId(api, name, collection),
  ])
  const { id } = collection
  const isText = suggested === undefined && typeof record[id] === 'string' && !collection.relations[id]
  return { ...record, [id]: isText ? await copyId(api, name, record, collection) : suggested }
}
