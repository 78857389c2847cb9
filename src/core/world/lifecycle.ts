import type { WorldEvent } from '../definitions/events.ts'
import type { DueWork } from '../time/due-work.ts'
import type { Overlay } from './overlay.ts'
import type { World } from './world.ts'

/** What an area does in a world by itself and outside of it, where the world must be able to end it. */
export interface AreaLifecycle {
  /** Ends what is under way: the world starts anew, goes back to a snapshot, or is gone. */
  stop(world: World): void
  /** Ends what leaves the world: what carried it has closed. */
  disconnect?(world: World): void
  /** Takes up what a snapshot left unfinished. */
  resume?(world: World): void
  /** What happens on the clock that nothing waits for, for people: it changes no record. */
  upcoming?(world: World): readonly DueWork[]
  /** Is told of a record that was written by hand, and by no request. */
  written?(world: World, collection: string, record: object): void
  /** Is told when other scenarios or assumptions are in force. */
  refresh?(world: World): void
}

/** Is told of every event of every world, as it happens, and under which scenarios. */
export type WorldEventListener = (world: World, event: WorldEvent, overlay: Overlay) => void
