import type { ReadonlySignal, Signal } from '@preact/signals'
import type { Live } from './live.ts'
import { isOffline } from './control.ts'

/** Counts what begins, because answers may come out of order: only that of the latest round counts. */
export function countRounds() {
  let latest = 0
  /** Returns whether no round begins from now on. */
  const mark = () => {
    const mine = latest
    return () => mine === latest
  }
  return {
    mark,
    begin() {
      latest++
      return mark()
    },
  }
}

export type Reading = ReturnType<typeof latest>

/**
 * Reads data again when it may be outdated: the stream begins, events are missing, or the server answers after a failed
 * connection. Only the newest read counts.
 * @param error why the newest read failed. @param read gets whether no later read has begun.
 * @param readSoon what such a moment calls; by default, it reads at once.
 */
export function latest(
  { live, answers }: { readonly live: Live; readonly answers: ReadonlySignal<number> },
  error: Signal<Error | undefined>,
  read: (isLatest: () => boolean) => Promise<void>,
  readSoon?: () => void,
) {
  const rounds = countRounds()
  const load = async () => {
    const isLatest = rounds.begin()
    try {
      await read(isLatest)
      if (isLatest()) error.value = undefined
    } catch (thrown) {
      if (isLatest()) error.value = thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }
  const again = readSoon ?? (() => void load())
  const ends = [live.onFresh(again), answers.subscribe(() => isOffline(error.peek()) && again())]
  return {
    error,
    load,
    /** Discards what a running read gets. */
    discard: () => void rounds.begin(),
    end() {
      rounds.begin()
      for (const end of ends) end()
    },
  }
}
