import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { after } from '../../core/time/clock.ts'
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

const always: readonly ControlEventType[] = ['world', 'reload']

/** The pause between two reloads by events, in milliseconds. */
const pause = 250

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
  const { live, answers } = usePanel()
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const newest = useRef(load)
  newest.current = load
  const reload = useRef(() => {})
  const types = [...always, ...reloadOn]

  // A layout effect sends the call before the page is painted.
  useLayoutEffect(() => {
    let stopWaiting: (() => void) | undefined
    const readSoon = () => {
      stopWaiting ??= after(pause, () => {
        stopWaiting = undefined
        void reading.load()
      })
    }
    const read = async (isLatest: () => boolean) => {
      const found = await newest.current()
      if (isLatest()) value.value = found
    }
    const reading = latest({ live, answers }, error, read, readSoon)
    mounted.add(reading)
    reload.current = () => {
      for (const one of mounted) if (one === reading || one.error.peek()) void one.load()
    }
    void reading.load()
    const endEvents = live.on(types, readSoon)
    return () => {
      mounted.delete(reading)
      stopWaiting?.()
      endEvents()
      reading.end()
    }
  }, [...inputs, types.join()])

  return { value, error, reload: () => reload.current() }
}
