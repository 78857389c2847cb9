import { callSafely } from '../core/contract/errors.ts'
import { joinTarget } from '../core/http/request.ts'
import { callback, section } from '../core/store/options.ts'
import { splitWorld } from '../core/http/address.ts'
import { onCommit } from '../core/store/records.ts'
import type { WorldEvent } from '../core/world/world-event.ts'
import type { JournalEntry } from '../core/journal/journal-entry.ts'
import type { JoinedHooks } from '../catalogue/fold-areas.ts'

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

/** A change of a world. */
export interface WorldChanged {
  readonly world: string
  /** `dropped` means removed to make room for others. */
  readonly change: 'created' | 'reset' | 'restored' | 'deleted' | 'dropped'
}

/**
 * Functions that Greenhouse calls, for logs and traces. They change nothing: an error in one is
 * printed, and the request goes on.
 * @example createGreenhouse({ hooks: { onReply: ({ operation, status }) => console.log(operation, status) } })
 */
export interface GreenhouseHooks {
  /** Called with every request that reached a world. */
  onRequest?: ((request: ArrivedRequest) => void) | undefined
  /** Called with every finished request and its reply, as the journal has them. */
  onReply?: ((entry: JournalEntry) => void) | undefined
  /**
   * Called with every event, whether or not a webhook subscribes to it. `at` is in milliseconds
   * since 1970.
   */
  onEvent?: ((event: HappenedEvent) => void) | undefined
  /** Called when a world begins, ends, or starts again. */
  onWorld?: ((change: WorldChanged) => void) | undefined
}

export const hooksSchema = section({
  onRequest: callback('a function that gets a request'),
  onReply: callback('a function that gets an entry of the journal'),
  onEvent: callback('a function that gets an event'),
  onWorld: callback('a function that gets a change of a world'),
} satisfies Record<keyof GreenhouseHooks, unknown>)

/** Joins the hooks of all plug-ins. A hook that none of them has stays absent, and costs nothing. */
export function joinHooks(hooks: readonly GreenhouseHooks[]): JoinedHooks {
  const onRequest = joinCalls(hooks, 'onRequest')
  const onEvent = joinCalls(hooks, 'onEvent')
  const onWorld = joinCalls(hooks, 'onWorld')
  return {
    onRequest:
      onRequest &&
      (({ world, request }) => {
        const { path } = splitWorld(request.path)
        const { method, search, headers } = request
        onRequest({
          world: world.name,
          method,
          path: joinTarget(path, search),
          headers,
        })
      }),
    onReply: joinCalls(hooks, 'onReply'),
    // Until its operation succeeds, an event may be taken back: hooks get it afterwards.
    onEvent:
      onEvent &&
      (({ name }, event) =>
        onCommit(() =>
          onEvent({
            world: name,
            ...event,
          }),
        )),
    onWorld:
      onWorld &&
      ((change) => {
        if (change.type === 'world')
          onWorld({
            world: change.world,
            change: change.change,
          })
      }),
  }
}

function joinCalls<Name extends keyof GreenhouseHooks>(
  all: readonly GreenhouseHooks[],
  name: Name,
): ((argument: Parameters<NonNullable<GreenhouseHooks[Name]>>[0]) => void) | undefined {
  const withHook = all.filter((hooks) => hooks[name] !== undefined)
  if (withHook.length === 0) return undefined
  return (argument) => {
    for (const hooks of withHook)
      callSafely(`The hook ${name} failed:`, () => hooks[name]?.(argument as never))
  }
}
