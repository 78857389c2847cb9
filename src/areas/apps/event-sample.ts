import type { World } from '../../core/world/world.ts'
import type { App } from './apps/schemas.ts'

/** What an event tells. */
export type EventData = Readonly<Record<string, unknown>>

/** What an event that happens to an app would tell, where it is triggered and did not happen. */
export interface AppEventSample {
  /** Tells of the newest record of the app that such an event could be about; `undefined` where there is none. */
  ofNewest(world: World, app: Readonly<App>): EventData | undefined
  /** Tells of a record that is made up, complete as a stored one is. */
  ofMadeUp(world: World, app: Readonly<App>): EventData
}

/** The same for an event that happens to an account. */
export type AccountEventSample = (world: World, account: string) => EventData

/** The id of a record that is made up: `app_aaaaaaaaaaaaaaaa`. */
export function madeUpId(prefix: string): string {
  return `${prefix}_${'a'.repeat(16)}`
}
