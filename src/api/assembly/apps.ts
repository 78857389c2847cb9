import { appsArea, appsCollections } from '../../areas/apps/index.ts'
import { eventTypes } from '../../areas/event-types.ts'
import { closedTransport, createFetchTransport } from '../../core/http/webhook-transport.ts'
import type { AreaPart } from './make-catalogue.ts'

/** Area B, app management with its webhooks, for `createGreenhouse` of `greenhouse-mock/core`. */
export const apps: AreaPart = {
  name: 'apps',
  area: appsArea,
  collections: appsCollections,
  eventTypes,
  deliveries: { createTransport: createFetchTransport, closedTransport },
}
