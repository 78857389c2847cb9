import { signal, type ReadonlySignal } from '@preact/signals'
import type { Panel } from '../data/panel.ts'
import type { PanelRouter } from '../data/router.ts'
import type { View } from '../views/index.ts'

export interface Count {
  readonly changed: number
  readonly hasFailed: boolean
}

export function shownView(views: readonly View[], router: PanelRouter): View {
  return views.find(({ id }) => id === router.route.value.view) ?? views[0]!
}

export function countChanges(
  views: readonly View[],
  { live, router, onEnd }: Panel,
): ReadonlySignal<ReadonlyMap<string, Count>> {
  const counts = signal<ReadonlyMap<string, Count>>(new Map())
  for (const { id, counts: counted } of views) {
    if (!counted) continue
    live.on(counted.types, (events) => {
      if (shownView(views, router).id === id && !document.hidden) return
      const found = events.map(counted.of).filter((what) => what !== undefined)
      if (found.length === 0) return
      const { changed, hasFailed } = counts.peek().get(id) ?? { changed: 0, hasFailed: false }
      counts.value = new Map(counts.peek()).set(id, {
        changed: changed + found.length,
        hasFailed: hasFailed || found.includes('failed'),
      })
    })
  }
  const forget = (id: string) => {
    if (!counts.peek().has(id)) return
    const rest = new Map(counts.peek())
    rest.delete(id)
    counts.value = rest
  }
  router.route.subscribe(() => forget(shownView(views, router).id))
  const forgetAll = () => (counts.value = new Map())
  router.world.subscribe(forgetAll)
  live.onRestart(forgetAll)
  const seen = () => document.hidden || forget(shownView(views, router).id)
  document.addEventListener('visibilitychange', seen)
  onEnd(() => document.removeEventListener('visibilitychange', seen))
  return counts
}
