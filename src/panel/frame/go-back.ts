import { confirmed, forgetUndos, toast } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'

/** The snapshots that the panel saves before it resets or restores a world. */
const taken = { reset: 'before-reset', restore: 'before-restore' }

/** Asks, then resets the world. This can be undone. */
export async function resetWorld(panel: Panel): Promise<void> {
  const name = panel.world.name.peek()
  const isWanted = await confirmed({
    title: `Reset the world ${name}?`,
    text: `Its data, quotas, clock, scenarios and webhooks start anew. The snapshot ${taken.reset} keeps them as they are now; the traffic is gone.`,
    action: 'Reset',
  })
  if (!isWanted) return
  await panel.api.resetWorld(name, taken.reset)
  await report(panel, name, `Reset ${name}`, taken.reset)
}

/** Asks, then restores a snapshot. This can be undone. */
export async function restoreSnapshot(panel: Panel, snapshot: string): Promise<void> {
  const name = panel.world.name.peek()
  const saved = snapshot === taken.restore ? `${taken.restore}-2` : taken.restore
  const isWanted = await confirmed({
    title: `Restore the snapshot ${snapshot}?`,
    text: `Records, quotas, clock and scenarios of ${name} become what they were. What they are now is saved as ${saved}.`,
    action: 'Restore',
  })
  if (!isWanted) return
  await panel.api.restoreSnapshot(name, snapshot, saved)
  await report(panel, name, `Restored ${snapshot}`, saved)
}

/** Shows a message with an undo. Earlier offers of undo no longer apply. */
async function report({ api, world }: Panel, name: string, text: string, saved: string): Promise<void> {
  forgetUndos()
  toast({
    text,
    undo: async () => {
      await api.restoreSnapshot(name, saved)
      await api.deleteSnapshot(name, saved)
      forgetUndos()
      if (world.name.peek() === name) await world.refresh()
    },
  })
  await world.refresh()
}
