import { toLengths } from '../../core/contract/assumptions.ts'
import type { Area } from '../../core/pipeline/area.ts'
import { closedTransport, createFetchTransport } from '../../core/http/webhook-transport.ts'
import { eventTypes } from '../event-types.ts'
import { accountResource } from './account/index.ts'
import { appResource } from './apps/index.ts'
import { appAssumptions } from './assumptions.ts'
import { conversationResource } from './conversations/index.ts'
import { idPrefixes, type Resource } from './declare.ts'
import { deploymentResource } from './deployments/index.ts'
import { appErrorSchema, sharedRules } from './errors.ts'
import { paymentResource } from './payments/index.ts'
import { usageResource } from './usage/index.ts'
import { userResource } from './users/index.ts'
import { deliverEvent } from './webhooks/delivery/deliver.ts'
import { webhookResource } from './webhooks/index.ts'

/** In the order of the documentation. */
const resources: readonly Resource[] = [
  appResource,
  userResource,
  usageResource,
  conversationResource,
  webhookResource,
  deploymentResource,
  paymentResource,
  accountResource,
]

export const appsCollections = {
  ...appResource.collections,
  ...userResource.collections,
  ...conversationResource.collections,
  ...webhookResource.collections,
  ...deploymentResource.collections,
  ...paymentResource.collections,
}

export const appsArea: Area = {
  ...sharedRules,
  name: 'apps',
  title: 'App management',
  version: 'v1',
  base: '/v1',
  operations: resources.flatMap(({ operations }) => operations),
  collections: appsCollections,
  schemas: Object.assign({ Error: appErrorSchema }, ...resources.map(({ schemas }) => schemas)),
  eventSchemas: Object.assign({}, ...resources.map(({ eventSchemas }) => eventSchemas)),
  eventTypes,
  deliveries: {
    createTransport: createFetchTransport,
    closedTransport,
  },
  rejectsUnknownFields: (exchange) => exchange.assume('apps.unknown-fields') === 'reject',
  rejectsUnknownQuery: (exchange) => exchange.assume('apps.unknown-query') === 'reject',
  longestText: (exchange) => toLengths(exchange.assume('apps.text-length')).maxLength,
  idPrefixes,
  unknownId: 'not_found',
  assumptions: appAssumptions,
  listen: deliverEvent,
  lifecycles: resources.flatMap(({ lifecycles = [] }) => lifecycles),
  // Reversed, so that webhooks come last among work that is due at the same time: they report the
  // other work.
  pending: resources.toReversed().flatMap(({ pending = [] }) => pending),
}
