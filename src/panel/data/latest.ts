import type { ReadonlySignal, Signal } from '@preact/signals'
import { after, monotonicNow } from '../../core/time/clock.ts'
import { isOffline } from './control.ts'
import type { Live } from './live.ts'

/** The time between two reads because of events, in milliseconds. */
const pause = 250

export type Reading = ReturnType<typeof latest>

/**
 * Reads data, again whenever it may be outdated: the stream began, or the server answers after a failed connection. Only the
 * newest read counts, whatever order the answers come in.
 * @param error why the newest read failed. @param read gets whether no later read has begun.
 */
export function latest(
  { live, answers }: { readonly live: Live; readonly answers: ReadonlySignal<number> },
  error: Signal<Error | undefined>,
  read: (isLatest: () => boolean) => Promise<void>,
) {
  let newest = 0
  let lastAt = -Infinity
  let stopWaiting: (() => void) | undefined
  const load = async () => {
    const mine = ++newest
    const isLatest = () => mine === newest
    lastAt = monotonicNow()
    try {
      await read(isLatest)
      if (isLatest()) error.value = undefined
    } catch (thrown) {
      if (isLatest()) error.value = thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }
  /** Loads, but at most four times a second. */
  const loadSoon = () => {
    stopWaiting ??= after(Math.max(0, lastAt + pause - monotonicNow()), () => {
      stopWaiting = undefined
      void load()
    })
  }
  const discard = () => {
    newest++
    stopWaiting?.()
    stopWaiting = undefined
  }
  const ends = [
    live.onFresh(() => void load()),
    answers.subscribe(() => isOffline(error.peek()) && loadSoon()),
    discard,
  ]
  return { error, load, loadSoon, discard, end: () => ends.forEach((end) => end()) }
}
