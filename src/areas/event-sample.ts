import type { CoreWorld } from '../core/world/world.ts'

export type SampleData = Readonly<Record<string, unknown>>

/** The data of a triggered event, and the app that it is about, if any. */
interface SampledEvent {
  readonly app: string | null
  readonly data: SampleData
}

/** Creates sample data for triggered events of one type. */
export interface EventSample {
  /** Returns event data from the newest fitting record, or from a generated one. @param app the app that the event is about. */
  sample(world: CoreWorld, account: string, app: string | undefined): SampledEvent
  /** Returns the account's newest app, for an event whose data the caller supplies; `null` if there is none or the type has no app. */
  appOf(world: CoreWorld, account: string): string | null
}

/** Creates the sample for an event type that is about an account, not about an app. */
export function sampleOfAccount(toData: (world: CoreWorld, account: string) => SampleData): EventSample {
  return {
    sample: (world, account, app) => ({ app: app ?? null, data: toData(world, account) }),
    appOf: () => null,
  }
}
