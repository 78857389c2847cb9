import type { Signal } from '@preact/signals'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { Live } from './live.ts'

/** The time between two reads because of events, in milliseconds. */
const pause = 250

export type Reading = ReturnType<typeof latest>

/**
 * Reads data, again whenever the stream begins: it may be outdated. Only the newest read counts, whatever order the answers
 * come in.
 * @param error why the newest read failed. @param read gets whether no later read has begun.
 */
export function latest(
  live: Pick<Live, 'onFresh'>,
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
  const endFresh = live.onFresh(() => void load())
  const end = () => {
    endFresh()
    discard()
  }
  return { error, load, loadSoon, discard, end }
}
