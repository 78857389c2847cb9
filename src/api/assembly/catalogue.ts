import { appsCollections } from '../../areas/apps/index.ts'
import { plantsCollections } from '../../areas/plants/index.ts'
import { accounts, keys, plans } from '../../core/accounts/accounts.ts'
import type { CollectionDefinition } from '../../core/store/collection.ts'
import { apps } from './apps.ts'
import { makeCatalogue } from './make-catalogue.ts'
import { plants } from './plants.ts'

export const catalogue = makeCatalogue([plants, apps])

export const { areas, collections, assumptionRegistry } = catalogue

export const definitions = { accounts, keys, ...plantsCollections, ...appsCollections, plans }

export type RecordOf<Name extends keyof typeof definitions> =
  (typeof definitions)[Name] extends CollectionDefinition<infer T> ? T : never
