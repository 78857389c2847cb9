import { EmptyState, Loaded, type NavItem, NavList, toCountText, ViewHead } from '../../components/index.ts'
import { usePanel } from '../../data/panel.ts'
import { useResource } from '../../data/resource.ts'
import type { CollectionSummary } from '../../data/shapes.ts'
import { recordEvents } from './events.ts'
import { RecordsView } from './records.tsx'
import { SnapshotsView } from './snapshots.tsx'

const snapshotsId = '~snapshots'

export default function Data() {
  const { api } = usePanel()
  const collections = useResource(() => api.collections(), [])
  return (
    <Loaded resource={collections} lines={12}>
      {(list) => <Shown collections={list} />}
    </Loaded>
  )
}

function Shown({ collections }: { readonly collections: readonly CollectionSummary[] }) {
  const { api, router, world } = usePanel()
  const sizes = useResource(() => api.collectionSizes(world.name.value), [], { reloadOn: recordEvents }).value.value
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
