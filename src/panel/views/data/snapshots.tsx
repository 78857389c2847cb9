import type { ComponentChildren } from 'preact'
import { Button, confirmed, EmptyState, IconButton, Table, toast, useEscape, ViewHead } from '../../components/index.ts'
import { useDraft } from '../../data/draft.ts'
import { usePanel, type Panel } from '../../data/panel.ts'
import { resetWorld, restoreSnapshot } from '../../frame/go-back.ts'
import { freeSnapshotName, takeSnapshot } from '../../frame/take-snapshot.ts'
import { Comparison } from './comparison.tsx'

export function SnapshotsView({ nav }: { readonly nav: ComponentChildren }) {
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
        actions={<Button icon="undo" onClick={() => resetWorld(panel)}>{`Reset ${world.name.value}…`}</Button>}
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
                      <Button label={`Compare with ${name}`} onClick={() => open(name)}>
                        Compare
                      </Button>
                      <Button label={`Restore ${name}`} onClick={() => restoreSnapshot(panel, name)}>
                        Restore
                      </Button>
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
      >
        Take a snapshot
      </Button>
    </form>
  )
}

async function deleteSnapshot({ api, world }: Panel, name: string): Promise<boolean> {
  const isWanted = await confirmed({
    title: `Delete the snapshot ${name}?`,
    text: 'The world stays as it is. You can’t restore this snapshot any more.',
    action: 'Delete',
  })
  if (!isWanted) return false
  await api.deleteSnapshot(world.name.peek(), name)
  await world.refresh()
  toast({ text: `Deleted the snapshot ${name}` })
  return true
}
