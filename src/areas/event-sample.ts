import type { World } from '../core/world/world.ts'

/** The data of an event. */
export type EventData = Readonly<Record<string, unknown>>

/** The data of a triggered event, and the app that it is about, if any. */
export interface SampledEvent {
  readonly app: string | null
  readonly data: EventData
}

/** Creates the data of an event that is triggered. Each event type has one, beside the data of the real event. */
export interface EventSample {
  /** Returns the data of the newest fitting record, or of a generated one. @param app the app that the event is about. */
  sample(world: World, account: string, app: string | undefined): SampledEvent
  /** Returns the app of an event with given data; `null` if such events have none. */
  appOf(world: World, account: string): string | null
}

/** Creates the sample of an event about an account. */
export function sampleOfAccount(toData: (world: World, account: string) => EventData): EventSample {
  return {
    sample: (world, account, app) => ({ app: app ?? null, data: toData(world, account) }),
    appOf: () => null,
  }
}
