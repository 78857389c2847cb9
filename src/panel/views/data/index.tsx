import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { EmptyState, Loaded } from '../../components/content.tsx'
import { Button, confirmed } from '../../components/controls.tsx'
import { bound, LineForm } from '../../components/form/form.tsx'
import { NavList, ViewHead } from '../../components/layout.tsx'
import { type Column, Table } from '../../components/lists.tsx'
import { toast } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import { type Panel, useAnswer, usePanel } from '../../data/panel.ts'
import type { CollectionSummary } from '../../data/control.ts'
import { freeSnapshotName, restoreSnapshot, takeSnapshot } from '../../frame/world-actions.ts'
import { recordEvents } from './queries.ts'
import { RecordsView } from './records.tsx'

export default function Data() {
  return (
    <Loaded resource={useAnswer('GET /collections')}>
      {({ data }) => <Shown collections={data} />}
    </Loaded>
  )
}

function Shown({ collections }: { collections: readonly CollectionSummary[] }) {
  const { router, world } = usePanel()
  const counts = useAnswer('GET /worlds/{world}/records', {}, recordEvents)
  const { rest, params } = router.route.value
  const isSnapshots = params['tab'] === 'snapshots'
  const name = rest[0] ?? collections[0]?.name
  const shown = collections.find((collection) => collection.name === name)
  const noteOf = (name: string) => {
    const found = counts.value?.data.find((one) => one.name === name)
    return found && toCountText(found.size)
  }
  const view = 'data'
  const places = [
    ...collections.map(({ name, title }) => ({
      id: name,
      title,
      note: noteOf(name),
      to: { view, rest: [name] },
    })),
    {
      id: '',
      title: 'Snapshots',
      note: world.snapshots.value.length,
      to: {
        view,
        params: { tab: 'snapshots' },
      },
    },
  ]
  const nav = <NavList label="Collections" chosen={isSnapshots ? '' : name} items={places} />
  if (isSnapshots) return <SnapshotsView nav={nav} />
  if (shown)
    return <RecordsView key={name} collection={shown} collections={collections} nav={nav} />
  return (
    <>
      <ViewHead title="Data" />
      <div class="split">
        {nav}
        <EmptyState title={`There is no collection “${name}”`} text="Choose one from the list." />
      </div>
    </>
  )
}

function SnapshotsView({ nav }: { nav: ComponentChildren }) {
  const panel = usePanel()
  const names = panel.world.snapshots.value
  const columns: readonly Column<string>[] = [
    {
      title: 'Name',
      cell: (name) => <span class="data-cell clip">{name}</span>,
    },
    {
      title: 'World',
      align: 'end',
      cell: (name) => (
        <span class="pair">
          <Button
            kind="quiet"
            label={`Restore ${name}`}
            onClick={() => restoreSnapshot(panel, name)}
            text="Restore"
          />
          <Button
            icon="trash"
            label={`Delete ${name}`}
            onClick={() => deleteSnapshot(panel, name)}
          />
        </span>
      ),
    },
  ]
  return (
    <>
      <ViewHead title="Snapshots" of="Data">
        <TakeForm />
      </ViewHead>
      <div class="split">
        {nav}
        <div class="split-list">
          {names.length > 0 ? (
            <Table
              label="Snapshots"
              rows={names.toReversed()}
              keyOf={(name) => name}
              columns={columns}
            />
          ) : (
            <EmptyState
              title="There are no snapshots yet"
              text="A snapshot keeps the whole world: records, quotas, clock and scenarios. Take one before you try something; restore it to go back."
            />
          )}
        </div>
      </div>
    </>
  )
}

function TakeForm() {
  const panel = usePanel()
  const name = useSignal('')
  const suggested = freeSnapshotName(panel.world.snapshots.value)
  const take = async () => {
    if (await takeSnapshot(panel, name.peek().trim() || suggested)) name.value = ''
  }
  return (
    <LineForm
      title="Name of the snapshot"
      isBare
      placeholder={suggested}
      action="Take a snapshot"
      onSubmit={take}
      {...bound(name)}
    />
  )
}

async function deleteSnapshot({ control, world }: Panel, snapshot: string) {
  const text = 'The world stays as it is. You can’t restore this snapshot any more.'
  if (!(await confirmed(`Delete the snapshot ${snapshot}?`, text))) return
  await control.call('DELETE /worlds/{world}/snapshots/{snapshot}', { snapshot })
  toast(`Deleted the snapshot ${snapshot}`)
  await world.refresh()
}
