import type { World } from '../core/world/world.ts'

/** What an event tells. */
export type EventData = Readonly<Record<string, unknown>>

/** What an event that is triggered tells, and the app that it happens to, if it is one. */
export interface SampledEvent {
  readonly app: string | null
  readonly data: EventData
}

/** Makes up what an event tells where it is triggered and did not happen. Each event has one, beside what the real event tells. */
export interface EventSample {
  /** Data of the newest record that such an event could be about, or of one that is made up. @param app the app that it is to be about. */
  sample(world: World, account: string, app: string | undefined): SampledEvent
  /** The app that an event with data of its own is about, unless it is named; `null` where such events are about none. */
  appOf(world: World, account: string): string | null
}

/** Makes the sample of an event that happens to an account. */
export function sampleOfAccount(toData: (world: World, account: string) => EventData): EventSample {
  return {
    sample: (world, account, app) => ({ app: app ?? null, data: toData(world, account) }),
    appOf: () => null,
  }
}
