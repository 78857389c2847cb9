import type { WorldEvent, WorldEventListener } from '../core/world/world.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { Service } from '../core/pipeline/service.ts'
import type { Change } from '../core/world/changes.ts'

/** A request before it is answered. */
export interface ArrivedRequest {
  readonly world: string
  readonly method: string
  /** The path, without a world's prefix, and the query. */
  readonly path: string
  /** The headers, by name in lower case, with their secrets. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** An event of a world. */
export interface HappenedEvent extends WorldEvent {
  readonly world: string
}

/** What happened to a world. */
export interface WorldChanged {
  readonly world: string
  /** `dropped` means removed to make room for others. */
  readonly change: 'created' | 'reset' | 'restored' | 'deleted' | 'dropped'
}

/**
 * Functions that Greenhouse calls, for logs and traces. They change nothing: an error in one is printed, and the request goes on.
 * @example createGreenhouse({ hooks: { onReply: ({ operation, status }) => console.log(operation, status) } })
 */
export interface GreenhouseHooks {
  /** Called with every request that reached a world. */
  onRequest?: ((request: ArrivedRequest) => void) | undefined
  /** Called with every finished request and its reply, as the journal has them. */
  onReply?: ((entry: JournalEntry) => void) | undefined
  /** Called with every event, whether or not a webhook subscribes to it. `at` is in milliseconds since 1970. */
  onEvent?: ((event: HappenedEvent) => void) | undefined
  /** Called when a world begins, ends, or starts again. */
  onWorld?: ((change: WorldChanged) => void) | undefined
}

/** The hooks of all plug-ins, each as one function that never throws. */
export interface JoinedHooks {
  readonly onRequest?: Service['onRequest']
  readonly onReply?: ((entry: JournalEntry) => void) | undefined
  readonly onEvent?: WorldEventListener | undefined
  readonly onWorld?: ((change: Change) => void) | undefined
}
