import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import {
  Button,
  EmptyState,
  ErrorState,
  fromSort,
  Skeleton,
  Table,
  toSort,
  useActions,
  useEscape,
  useKeys,
} from '../../components/index.ts'
import { toFields } from '../../components/form/kind.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary } from '../../data/shapes.ts'
import { ProblemsBar } from '../../frame/problems.tsx'
import { toColumns } from './columns.tsx'
import { recordEvents } from './events.ts'
import { ExportDialog } from './export-dialog.tsx'
import { NewRecord } from './new-record.tsx'
import { Pages } from './pages.tsx'
import { filteredFields, pageOf, pageSize, toQuery } from './query.ts'
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
