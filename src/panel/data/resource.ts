import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { after } from '../../core/time/clock.ts'
import { usePanel } from './panel.ts'
import { countRounds } from './rounds.ts'
import { isOffline } from './transport.ts'

export interface PanelResource<T> {
  /** The last value; stays during a reload. */
  readonly value: ReadonlySignal<T | undefined>
  readonly error: ReadonlySignal<Error | undefined>
  /** Loads it again, together with every other resource whose last load failed. */
  reload(): void
}

const always = ['world', 'reload']

/** The pause between two reloads by events, in milliseconds. */
const pause = 250

const failed = new Set<() => Promise<void>>()

/**
 * Loads a value when the component mounts, when `inputs` change, when the connection is back, and after events.
 * @param reloadOn further events that reload it, at most four times a second.
 * @example const keys = useResource(() => api.keys(world.name.value), [world.name.value], { reloadOn: ['keys'] })
 */
export function useResource<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
  { reloadOn = [] }: { readonly reloadOn?: readonly string[] } = {},
): PanelResource<T> {
  const { live, answers } = usePanel()
  const value = useSignal<T | undefined>(undefined)
  const error = useSignal<Error | undefined>(undefined)
  const latest = useRef(load)
  latest.current = load
  const reload = useRef(() => {})
  const types = [...always, ...reloadOn].join()

  // A layout effect sends the call before the page is painted.
  useLayoutEffect(() => {
    let isOver = false
    const rounds = countRounds()
    let stopWaiting: (() => void) | undefined
    const readIt = async () => {
      const isLatest = rounds.begin()
      try {
        const read = await latest.current()
        if (isOver || !isLatest()) return
        value.value = read
        error.value = undefined
        failed.delete(readIt)
      } catch (thrown) {
        if (isOver || !isLatest()) return
        error.value = thrown instanceof Error ? thrown : new Error(String(thrown))
        failed.add(readIt)
      }
    }
    const readSoon = () => {
      stopWaiting ??= after(pause, () => {
        stopWaiting = undefined
        void readIt()
      })
    }
    reload.current = () => {
      for (const other of new Set([readIt, ...failed])) void other()
    }
    void readIt()
    const ends = [
      live.onFresh(readSoon),
      live.on(types.split(','), readSoon),
      answers.subscribe(() => isOffline(error.peek()) && readSoon()),
    ]
    return () => {
      isOver = true
      failed.delete(readIt)
      stopWaiting?.()
      for (const end of ends) end()
    }
  }, [...inputs, types])

  return { value, error, reload: () => reload.current() }
}
