import type { WorldEvent } from '../core/definitions/events.ts'
import { callback, section, type RulesFor } from '../core/definitions/options.ts'
import { printFailure, reportRejection } from '../core/definitions/reason.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'

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
  onRequest?(request: ArrivedRequest): void
  /** Called with every finished request and its reply, as the journal has them. */
  onReply?(entry: JournalEntry): void
  /** Called with every event, whether or not a webhook subscribes to it. `at` is in milliseconds since 1970. */
  onEvent?(event: HappenedEvent): void
  /** Called when a world begins, ends, or starts again. */
  onWorld?(change: WorldChanged): void
}

const hookRules: RulesFor<GreenhouseHooks> = {
  onRequest: callback('a function that gets a request'),
  onReply: callback('a function that gets an entry of the journal'),
  onEvent: callback('a function that gets an event'),
  onWorld: callback('a function that gets a change of a world'),
}

/** The rule of the option `hooks`. */
export const hooksRule = section(hookRules)

/** Returns a function that calls one hook of each; `undefined` if none has it. */
export function joinHooks<Name extends keyof GreenhouseHooks>(
  all: readonly GreenhouseHooks[],
  name: Name,
): ((about: Parameters<NonNullable<GreenhouseHooks[Name]>>[0]) => void) | undefined {
  const having = all.filter((hooks) => hooks[name] !== undefined)
  if (having.length === 0) return undefined
  return (about) => {
    for (const hooks of having)
      try {
        reportRejection(`The hook ${name} failed:`, hooks[name]!(about as never))
      } catch (error) {
        printFailure(`The hook ${name} failed:`, error)
      }
  }
}
