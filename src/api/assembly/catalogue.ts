import { appsCollections } from '../../areas/apps/index.ts'
import { plantsCollections } from '../../areas/plants/index.ts'
import { accounts, keys, plans } from '../../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import type { RecordTypes } from '../records.ts'
import { apps } from './apps.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { plants } from './plants.ts'

export const catalogue = makeCatalogue([plants, apps])

export const { areas, collections, assumptionRegistry } = catalogue

export const definitions = { accounts, keys, ...plantsCollections, ...appsCollections, plans } satisfies {
  [Name in keyof RecordTypes]: CollectionDefinition<RecordTypes[Name]>
}
