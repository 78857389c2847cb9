import { confirmed, forgetUndos, toast } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'

const taken = { reset: 'before-reset', restore: 'before-restore', undo: 'before-undo' }

export async function resetWorld(panel: Panel): Promise<void> {
  const name = panel.world.name.peek()
  const isWanted = await confirmed({
    title: `Reset the world ${name}?`,
    text: `Its data, quotas, clock, scenarios and webhooks start anew. The snapshot ${taken.reset} keeps them as they are now; the traffic is gone.`,
    action: 'Reset',
  })
  if (!isWanted) return
  await panel.api.resetWorld(name, taken.reset)
  await report(panel, name, `Reset ${name}`, taken.reset, taken.undo)
}

export async function restoreSnapshot(panel: Panel, snapshot: string): Promise<void> {
  const name = panel.world.name.peek()
  const saved = besides(snapshot, taken.restore)
  const isWanted = await confirmed({
    title: `Restore the snapshot ${snapshot}?`,
    text: `Records, quotas, clock and scenarios of ${name} become what they were. What they are now is saved as ${saved}.`,
    action: 'Restore',
  })
  if (!isWanted) return
  await panel.api.restoreSnapshot(name, snapshot, saved)
  await report(panel, name, `Restored ${snapshot}`, saved, besides(snapshot, taken.undo))
}

function besides(snapshot: string, name: string): string {
  return snapshot === name ? `${name}-2` : name
}

/**
 * Shows a message with an undo. Earlier offers of undo no longer apply. The undo takes the whole world back to `saved`, so
 * it saves later changes as `next` first, and can be undone too.
 */
async function report(panel: Panel, name: string, text: string, saved: string, next: string): Promise<void> {
  const { api, world } = panel
  forgetUndos(name)
  toast({
    text,
    world: name,
    undo: async () => {
      await api.restoreSnapshot(name, saved, next)
      await api.deleteSnapshot(name, saved)
      await report(panel, name, `Went back. What ${name} was until now is saved as ${next}.`, next, saved)
    },
  })
  if (world.name.peek() === name) await world.refresh()
}

export async function clearTraffic({ api, world }: Panel): Promise<void> {
  const name = world.name.peek()
  const isWanted = await confirmed({
    title: 'Clear the traffic?',
    text: `This removes all requests from the journal of the world ${name}. Data, quotas and scenarios stay.`,
    action: 'Clear',
  })
  if (!isWanted) return
  await api.clearJournal(name)
  toast({ text: `Cleared the traffic of ${name}` })
}

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
