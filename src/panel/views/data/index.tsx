import type { ComponentChildren, VNode } from 'preact'
import { toJson } from '../../../core/http/json.ts'
import { Fact, Facts } from '../../components/content.tsx'
import { Button, IconButton } from '../../components/controls.tsx'
import { confirmed } from '../../components/dialog.tsx'
import { useEscape } from '../../components/keys.ts'
import { Detail, Link, type NavItem, NavList, ViewHead } from '../../components/layout.tsx'
import { Table } from '../../components/lists.tsx'
import { EmptyState, Loaded } from '../../components/states.tsx'
import { toast } from '../../components/toast.tsx'
import { toCountText } from '../../components/words.ts'
import { useDraft } from '../../data/form.ts'
import { type Panel, usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionComparison, CollectionSummary } from '../../data/shapes.ts'
import { freeSnapshotName, resetWorld, restoreSnapshot, takeSnapshot } from '../../frame/world-actions.ts'
import { recordEvents } from './queries.ts'
import { RecordsView } from './records.tsx'

const snapshotsId = '~snapshots'

export default function Data() {
  const { control } = usePanel()
  const collections = useResource(async () => (await control.call('GET /collections')).data, [])
  return (
    <Loaded resource={collections} lines={12}>
      {(list) => <Shown collections={list} />}
    </Loaded>
  )
}

function Shown({ collections }: { readonly collections: readonly CollectionSummary[] }) {
  const { control, router, world } = usePanel()
  const sizes = useResource(async () => (await control.call('GET /worlds/{world}/records')).data, [], recordEvents)
    .value.value
  const { rest, params } = router.route.value
  const isSnapshots = params['face'] === 'snapshots'
  const name = rest[0] ?? collections[0]!.name
  const shown = collections.find((collection) => collection.name === name)
  const items: NavItem[] = [
    ...collections.map((collection) => {
      const size = sizes?.find((one) => one.name === collection.name)?.size
      return {
        id: collection.name,
        title: collection.title,
        href: router.href({ view: 'data', rest: [collection.name] }),
        ...(size !== undefined && { note: toCountText(size) }),
      }
    }),
    {
      id: snapshotsId,
      title: 'Snapshots',
      href: router.href({ view: 'data', params: { face: 'snapshots' } }),
      note: toCountText(world.snapshots.value.length),
    },
  ]
  const nav = <NavList label="Collections" items={items} chosen={isSnapshots ? snapshotsId : name} />
  if (isSnapshots) return <SnapshotsView nav={nav} />
  if (shown) return <RecordsView key={name} collection={shown} collections={collections} nav={nav} />
  return (
    <>
      <ViewHead title="Data" />
      <div class="split">
        {nav}
        <EmptyState title={`There is no collection “${name}”`}>Choose one from the list.</EmptyState>
      </div>
    </>
  )
}

function SnapshotsView({ nav }: { readonly nav: ComponentChildren }) {
  const panel = usePanel()
  const { router, world } = panel
  const names = world.snapshots.value
  const opened = router.route.value.params['snapshot']
  const open = (name: string | undefined) => router.go({ params: { snapshot: name } })
  useEscape(opened !== undefined, () => router.go({ params: { snapshot: undefined } }, true))
  return (
    <>
      <ViewHead
        title="Snapshots"
        of="Data"
        actions={<Button icon="undo" onClick={() => resetWorld(panel)} text={`Reset ${world.name.value}…`} />}
      >
        <TakeForm />
      </ViewHead>
      <div class="split">
        {nav}
        <div class="split-list">
          {names.length === 0 ? (
            <EmptyState title="There are no snapshots yet">
              A snapshot keeps the whole world: records, quotas, clock and scenarios. Take one before you try something;
              restore it to go back.
            </EmptyState>
          ) : (
            <Table
              label="Snapshots"
              rows={[...names].reverse()}
              keyOf={(name) => name}
              onOpen={open}
              opened={opened}
              columns={[
                { id: 'name', title: 'Name', cell: (name) => <span class="data-cell clip">{name}</span> },
                {
                  id: 'actions',
                  title: 'Actions',
                  align: 'end',
                  cell: (name) => (
                    <span class="pair">
                      <Button label={`Compare with ${name}`} onClick={() => open(name)} text="Compare" />
                      <Button label={`Restore ${name}`} onClick={() => restoreSnapshot(panel, name)} text="Restore" />
                      <IconButton
                        icon="trash"
                        kind="danger"
                        label={`Delete ${name}`}
                        onClick={async () => {
                          if (await deleteSnapshot(panel, name)) if (opened === name) open(undefined)
                        }}
                      />
                    </span>
                  ),
                },
              ]}
            />
          )}
        </div>
        {opened !== undefined && (
          <Comparison
            key={opened}
            name={opened}
            onRestore={() => restoreSnapshot(panel, opened)}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </>
  )
}

function TakeForm() {
  const panel = usePanel()
  const name = useDraft('snapshot').part('name', '')
  const names = panel.world.snapshots.value
  const suggested = freeSnapshotName(names)
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        event.currentTarget.querySelector('button')!.click()
      }}
    >
      <input
        class="input data-snapshot-name"
        aria-label="Name of the snapshot"
        placeholder={suggested}
        autocomplete="off"
        spellcheck={false}
        value={name.value}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <Button
        kind="primary"
        icon="plus"
        onClick={async () => {
          if (await takeSnapshot(panel, name.peek().trim() || suggested)) name.value = ''
        }}
        text="Take a snapshot"
      />
    </form>
  )
}

async function deleteSnapshot({ control, world }: Panel, name: string): Promise<boolean> {
  const isWanted = await confirmed({
    title: `Delete the snapshot ${name}?`,
    text: 'The world stays as it is. You can’t restore this snapshot any more.',
    action: 'Delete',
  })
  if (!isWanted) return false
  await control.call('DELETE /worlds/{world}/snapshots/{snapshot}', { path: { snapshot: name } })
  await world.refresh()
  toast({ text: `Deleted the snapshot ${name}` })
  return true
}

function Comparison({ name, onRestore, onClose }: { name: string; onRestore: () => unknown; onClose: () => void }) {
  const { control } = usePanel()
  const title = `What changed since ${name}`
  const changes = useResource(
    async () =>
      (await control.call('GET /worlds/{world}/snapshots/{snapshot}/compare', { path: { snapshot: name } })).data,
    [],
    [...recordEvents, 'snapshots'],
  )
  return (
    <Detail label={title} title={title} onClose={onClose}>
      <Loaded resource={changes} lines={8}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No record has changed">
              Change a record, through the API or in the tables, and it appears here.
            </EmptyState>
          ) : (
            <>
              <div class="row data-actions">
                <Button icon="undo" onClick={onRestore} text="Restore the snapshot" />
              </div>
              {list.map((change) => (
                <Change key={change.collection} change={change} />
              ))}
            </>
          )
        }
      </Loaded>
    </Detail>
  )
}

function Change({ change: { collection, added, removed, changed, more } }: { readonly change: CollectionComparison }) {
  const link = (id: string) => (
    <Link class="mono" to={{ view: 'data', rest: [collection, id] }}>
      {id}
    </Link>
  )
  const plain = (id: string) => <span class="mono">{id}</span>
  const showIds = (title: string, ids: readonly VNode[], left: number) =>
    ids.length > 0 && (
      <p>
        <span class="data-change-kind">{title}</span> {joined(ids)}
        <More count={left} />
      </p>
    )
  return (
    <section class="section breaks">
      <h3>{collection}</h3>
      {showIds(`+ ${toCountText(added.length + more.added)} added`, added.map(link), more.added)}
      {showIds(`− ${toCountText(removed.length + more.removed)} removed`, removed.map(plain), more.removed)}
      {changed.map(({ id, fields }) => (
        <div key={id} class="data-changed">
          <p>
            <span class="data-change-kind">± changed</span> {link(id)}
          </p>
          <Facts>
            {fields.map(({ field, before, after }) => (
              <Fact key={field} title={field}>
                <del>{toText(before)}</del> <span aria-hidden="true">→</span> <ins>{toText(after)}</ins>
              </Fact>
            ))}
          </Facts>
        </div>
      ))}
      <More count={more.changed} />
    </section>
  )
}

function More({ count }: { readonly count: number }) {
  return count === 0 ? null : <span class="muted"> and {toCountText(count)} more</span>
}

function joined<T>(parts: readonly T[]) {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]))
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'string' ? value : toJson(value)
}
