import { appsArea, appsCollections } from '../areas/apps/index.ts'
import { plantsArea, plantsCollections } from '../areas/plants/index.ts'
import { accounts, keys, plans } from '../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../core/store/collection.ts'
import type { RecordTypes } from './records.ts'
import { foldAreas } from './fold-areas.ts'

/** The catalogue of a Greenhouse to which nothing is added. */
export const builtInCatalogue = foldAreas([{ areas: [plantsArea, appsArea] }])

export const { areas, collections, assumptionRegistry } = builtInCatalogue

/** The built-in collections by name, each with the type of its records. */
export const definitions = {
  accounts,
  keys,
  ...plantsCollections,
  ...appsCollections,
  plans,
} satisfies {
  [Name in keyof RecordTypes]: CollectionDefinition<RecordTypes[Name]>
}
