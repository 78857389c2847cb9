import type { WorldEvent } from '../contract/events.ts'
import type { DueWork } from '../time/clock.ts'
import type { EffectiveSettings } from './effective-settings.ts'
import type { CoreWorld } from './world.ts'

/** Work of an area in a world that no request started, and that the world must be able to end. */
export interface AreaLifecycle {
  stop(world: CoreWorld): void
  /** Ends outgoing work: the transport has closed. */
  disconnect?(world: CoreWorld): void
  resume?(world: CoreWorld): void
  /** Describes the changes that the passing of time alone makes, without scheduled work or a change of records. */
  upcoming?(world: CoreWorld): readonly DueWork[]
  /** Called with a record that was written through `world.records` or the control API. */
  written?(world: CoreWorld, collection: string, record: object): void
  refresh?(world: CoreWorld): void
}

export type WorldEventListener = (world: CoreWorld, event: WorldEvent, effectiveSettings: EffectiveSettings) => void
