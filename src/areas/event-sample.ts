import type { CoreWorld } from '../core/world/world.ts'

export type SampleData = Readonly<Record<string, unknown>>

interface SampledEvent {
  readonly app: string | null
  readonly data: SampleData
}

export interface EventSample {
  sample(world: CoreWorld, account: string, app: string | undefined): SampledEvent
  appOf(world: CoreWorld, account: string): string | null
}

export function sampleOfAccount(toData: (world: CoreWorld, account: string) => SampleData): EventSample {
  return {
    sample: (world, account, app) => ({ app: app ?? null, data: toData(world, account) }),
    appOf: () => null,
  }
}
