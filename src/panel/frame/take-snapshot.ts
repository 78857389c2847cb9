import { confirmed, toast } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'

export async function takeSnapshot({ api, world }: Panel, name?: string): Promise<boolean> {
  const shown = world.name.peek()
  const names = world.snapshots.peek()
  const chosen = name ?? freeSnapshotName(names)
  if (
    names.includes(chosen) &&
    !(await confirmed({
      title: `Replace the snapshot ${chosen}?`,
      text: 'A snapshot with this name exists. The new one replaces it.',
      action: 'Replace',
    }))
  )
    return false
  await api.takeSnapshot(shown, chosen)
  await world.refresh()
  toast({ text: `Took the snapshot ${chosen}` })
  return true
}

export function freeSnapshotName(names: readonly string[]): string {
  let number = names.length + 1
  while (names.includes(`snapshot-${number}`)) number++
  return `snapshot-${number}`
}
