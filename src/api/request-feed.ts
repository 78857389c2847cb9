import type { JournalRecordListener } from '../core/journal/journal.ts'
import type { LogEvent, LogEventListener } from '../core/journal/log-events.ts'
import { addListener } from '../core/text/values.ts'
import type { Changes } from '../core/world/changes.ts'

/** The requests of a Greenhouse, for those who follow them: those of all journals, and the others. */
export class RequestFeed {
  /** Called with each new journal entry of each world. */
  readonly listeners = new Set<JournalRecordListener>()
  readonly #logListeners = new Set<LogEventListener>()
  readonly #changes: Changes
  /** How many requests are in no journal, by kind. */
  readonly unrecorded: Record<string, number> = {}

  constructor(changes: Changes) {
    this.#changes = changes
  }

  /**
   * Calls `listener` with stored entries, and `onLogMessage` with log messages that have no journal
   * entry. Returns a function that unsubscribes.
   */
  observe(listener: JournalRecordListener, onLogMessage?: LogEventListener): () => void {
    const stop = addListener(this.listeners, listener)
    const stopLog = onLogMessage && addListener(this.#logListeners, onLogMessage)
    return () => {
      stop()
      stopLog?.()
    }
  }

  /** Passes on a log message that has no journal entry. */
  readonly log = (event: LogEvent): void => {
    if (event.event !== 'delivery') this.count(event.event === 'refused' ? event.code : event.event)
    for (const listener of this.#logListeners) listener(event)
  }

  count(kind: string): void {
    this.unrecorded[kind] = (this.unrecorded[kind] ?? 0) + 1
    this.#changes.notify({ type: 'unrecorded' })
  }

  end(): void {
    this.listeners.clear()
    this.#logListeners.clear()
  }
}
