import { readRecords } from '../../data/control.ts'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { toJson } from '../../../core/http/json.ts'
import { toIso } from '../../../core/time/time-text.ts'
import { Button, CopyButton, IconButton, Select } from '../../components/controls.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { downloadText } from '../../components/files.ts'
import { type FormField, toFields } from '../../components/form/draft.ts'
import { useActions, useEscape, useKeys } from '../../components/keys.ts'
import { Link, Tabs, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { RelativeTime } from '../../components/marks.tsx'
import { Menu } from '../../components/menu.tsx'
import { EmptyState, ErrorState, Loaded, ProblemsBar, Skeleton } from '../../components/states.tsx'
import { toCountText, toPlural } from '../../components/words.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary, FixtureFile, RecordValue } from '../../data/shapes.ts'
import { resetWorld } from '../../frame/world-actions.ts'
import { filteredFields, pageOf, pageSize, recordEvents, toQuery, wherePrefix } from './queries.ts'
import { NewRecord, RecordDetail } from './record-detail.tsx'

interface RecordsProps {
  readonly collection: CollectionSummary
  readonly collections: readonly CollectionSummary[]
  readonly nav: ComponentChildren
}

export function RecordsView({ collection, collections, nav }: RecordsProps) {
  const panel = usePanel()
  const { control, router, world } = panel
  const { name } = collection
  const { params, rest } = router.route.value
  const query = toQuery(params)
  const page = useResource(
    () => readRecords(control, { collection: name }, query),
    [JSON.stringify(query)],
    recordEvents,
  )
  const fields = useMemo(() => toFields(collection.schema), [collection])
  const columns = useMemo(() => toColumns(collection, fields), [collection, fields])
  const exported = useSignal<'collection' | 'world' | undefined>(undefined)
  const exportAs = (what: 'collection' | 'world') => () => void (exported.value = what)
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
      run: exportAs('collection'),
    },
    {
      id: 'data:export-world',
      title: 'Export the whole world as fixture files',
      keywords: 'download yaml save data',
      run: exportAs('world'),
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
      <ViewHead
        title={collection.title}
        of="Data"
        search={{ label: `Filter ${name} by text`, placeholder: 'Any field' }}
        actions={
          <>
            <Button kind="primary" icon="plus" title="Add a record (n)" onClick={add} text="Add" />
            <Menu
              label="Export and reset"
              items={[
                { title: `Export ${name}…`, icon: 'download', run: exportAs('collection') },
                { title: 'Export the whole world…', icon: 'download', run: exportAs('world') },
                { title: `Reset ${world.name.value}…`, icon: 'undo', kind: 'danger', run: () => resetWorld(panel) },
              ]}
            />
          </>
        }
      >
        <FieldFilters fields={fields} />
      </ViewHead>
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
                  sort={params['sort']}
                  onSort={(sort) => router.go({ params: { sort, page: undefined } }, true)}
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
          <Button onClick={() => router.go({ view: 'data', rest: [name] })} text="Clear the filter" />
        </EmptyState>
      )
    return (
      <EmptyState title={`There are no ${name} yet`}>
        <p>Create some through the API, in fixture files, or here:</p>
        <Button icon="plus" onClick={add} text={`Add to ${name}`} />
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

function Pages({ page, size, total }: { page: number; size: number; total: number }) {
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
          <Button disabled={page <= 1} onClick={() => go(Math.min(page - 1, last))} text="Previous" />
          <span class="muted">{`${toCountText(page)} of ${toCountText(last)}`}</span>
          <Button disabled={page >= last} onClick={() => go(page + 1)} text="Next" />
        </>
      )}
    </footer>
  )
}

const longest = 200

interface CellProps {
  readonly field: FormField
  readonly value: unknown
  readonly isId: boolean
  readonly target: string | undefined
}

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

function FieldFilters({ fields }: { readonly fields: readonly FormField[] }) {
  const { router } = usePanel()
  const { params } = router.route.value
  const fresh = useSignal<string | undefined>(undefined)
  const set = filteredFields(params)
  const shown = fresh.value !== undefined && !set.includes(fresh.value) ? [...set, fresh.value] : set
  const others = fields.filter(({ name, kind }) => kind !== 'json' && !shown.includes(name))
  const change = (field: string, value: string | undefined) =>
    router.go({ params: { [wherePrefix + field]: value, page: undefined } }, true)
  return (
    <>
      {shown.map((name) => (
        <FieldFilter
          key={name}
          name={name}
          field={fields.find((field) => field.name === name)}
          value={params[wherePrefix + name] ?? ''}
          isFresh={name === fresh.value}
          onChange={(value) => change(name, value || undefined)}
          onRemove={() => {
            if (fresh.peek() === name) fresh.value = undefined
            change(name, undefined)
          }}
        />
      ))}
      <Select
        label="Filter by a field"
        value=""
        options={[{ value: '', title: 'Field…' }, ...others.map(({ name }) => name)]}
        onChange={(name) => (fresh.value = name || undefined)}
      />
    </>
  )
}

interface FieldFilterProps {
  readonly name: string
  readonly field: FormField | undefined
  readonly value: string
  readonly isFresh: boolean
  readonly onChange: (value: string) => void
  readonly onRemove: () => void
}

function FieldFilter({ name, field, value, isFresh, onChange, onRemove }: FieldFilterProps) {
  const root = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (isFresh) root.current!.querySelector<HTMLElement>('input, select')?.focus()
  }, [])
  const values = field && 'values' in field ? field.values.map(String) : field?.kind === 'boolean' && ['true', 'false']
  const label = `${name} is`
  return (
    <span class="data-where pair" ref={root}>
      <span class="muted">{label}</span>
      {values ? (
        <Select
          label={label}
          value={value}
          options={[
            { value: '', title: 'any' },
            ...values,
            ...(field!.isRequired ? [] : [{ value: 'null', title: 'not set' }]),
          ]}
          onChange={onChange}
        />
      ) : (
        <input
          class="input"
          aria-label={label}
          value={value}
          placeholder="exact value"
          autocomplete="off"
          spellcheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onChange(event.currentTarget.value)
            else if (event.key === 'Escape') onRemove()
          }}
        />
      )}
      <IconButton icon="close" label={`Do not filter by ${name}`} onClick={onRemove} />
    </span>
  )
}

const maxShown = 20_000

function ExportDialog({ collection: only, onClose }: { collection?: CollectionSummary; onClose: () => void }) {
  const { control, world } = usePanel()
  const name = world.name.value
  const collection = only?.name
  const beside = [...new Set(Object.values(only?.relations ?? {}))]
  const files = useResource(
    () =>
      collection === undefined
        ? control.call('GET /worlds/{world}/export')
        : control.call('GET /worlds/{world}/export/{collection}', { path: { collection } }),
    [],
  )
  const list = files.value.value?.data ?? []
  const hidden = list.reduce((sum, file) => sum + file.hidden, 0)
  return (
    <Dialog
      title={collection === undefined ? `Export the world ${name}` : `Export ${collection}`}
      width="wide"
      onClose={onClose}
      actions={
        list.length > 1 && (
          <Button
            kind="primary"
            icon="download"
            onClick={() => save({ file: `${name}.yaml`, text: list.map(({ text }) => text).join('\n') })}
            text={`Download all as ${name}.yaml`}
          />
        )
      }
    >
      <Loaded resource={files} lines={10}>
        {() => (
          <>
            <p class="below">
              Put it into a folder and start with <code class="code-inline">--fixtures FOLDER</code>.
              {beside.length > 0 &&
                ` Its records refer to others: put ${beside.map((one) => `${one}.yaml`).join(', ')} beside it.`}
              {hidden > 0 && ` Placeholders replace ${toPlural(hidden, 'secret')}.`}
            </p>
            {list.length === 0 ? (
              <p class="muted">The world has no records.</p>
            ) : list.length === 1 ? (
              <File file={list[0]!} />
            ) : (
              <Tabs
                label="Files"
                tabs={list.map((file) => ({
                  id: file.file,
                  title: file.file,
                  count: file.records,
                  render: () => <File file={file} />,
                }))}
              />
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function File({ file }: { readonly file: FixtureFile }) {
  const { text } = file
  return (
    <>
      <div class="row below">
        <Button icon="download" onClick={() => save(file)} text={`Download ${file.file}`} />
        <CopyButton text={text} what={file.file} label="Copy" />
        <span class="muted">{toPlural(file.records, 'record')}</span>
      </div>
      <pre class="code data-export" tabIndex={0} aria-label={file.file}>
        {text.length > maxShown
          ? `${text.slice(0, maxShown)}\n… ${toPlural(text.length - maxShown, 'character')} more`
          : text}
      </pre>
    </>
  )
}

function save({ file, text }: Pick<FixtureFile, 'file' | 'text'>): void {
  downloadText(file, text, 'application/yaml')
}
