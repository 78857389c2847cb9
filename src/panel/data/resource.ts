import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { latest, type Reading } from './latest.ts'
import { usePanel } from './panel.ts'
import type { ControlEventType } from './shapes.ts'

export interface PanelResource<T> {
  /** The last value; stays during a reload. */
  readonly value: ReadonlySignal<T | undefined>
  readonly error: ReadonlySignal<Error | undefined>
  /** Loads it again, together with every other resource whose last load failed. */
  reload(): void
}

const mounted = new Set<Reading>()

/**
 * Loads a value when the component mounts, when `inputs` change, when the connection is back, and after events.
 * @param reloadOn further events that reload it, at most four times a second.
 * @example const clock = useResource(() => control.call('GET /worlds/{world}/clock'), [], ['clock'])
 */
export function useResource<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
  reloadOn: readonly ControlEventType[] = [],
): PanelResource<T> {
  const panel = usePanel()
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const newest = useRef(load)
  newest.current = load
  const reading = useRef<Reading>(undefined)
  const types: readonly ControlEventType[] = ['world', 'reload', ...reloadOn]

  // A layout effect sends the call before the page is painted.
  useLayoutEffect(() => {
    const mine = latest(panel, error, async (isLatest) => {
      const found = await newest.current()
      if (isLatest()) value.value = found
    })
    reading.current = mine
    mounted.add(mine)
    void mine.load()
    const endEvents = panel.live.on(types, mine.loadSoon)
    return () => {
      mounted.delete(mine)
      endEvents()
      mine.end()
    }
  }, [...inputs, types.join()])

  const reload = () => {
    for (const one of mounted) if (one === reading.current || one.error.peek()) void one.load()
  }
  return { value, error, reload }
}
