import type { Catalogue } from '../assembly/make-catalogue.ts'
import type { GreenhouseOptions } from '../greenhouse.ts'
import { toFixtures } from './to-fixtures.ts'
import type { Case } from './types.ts'

export function toStartOptions({ start = {}, made }: Case, known: Pick<Catalogue, 'collections'>): GreenhouseOptions {
  const { seed, now, frozen, records, assumptions, scenarios, own_scenarios, settings } = start
  return {
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
    ...(frozen !== undefined && { frozen }),
    ...(records && { fixtures: toFixtures(records, known, made === undefined) }),
    ...(own_scenarios && { scenarios: own_scenarios }),
    ...(assumptions && { assumptions: assumptions as NonNullable<GreenhouseOptions['assumptions']> }),
    ...(scenarios && { use: scenarios as NonNullable<GreenhouseOptions['use']> }),
    ...settings,
  }
}
