import { planOf } from '../../../core/accounts/accounts.ts'
import { ApiError } from '../../../core/contract/errors.ts'
import { type AuthenticatedExchange, declareOperation } from '../../../core/pipeline/operation.ts'
import { conversations, messages } from '../conversations/schemas.ts'
import {
  declareCreate,
  declareDeleteRecord,
  declareGetRecord,
  declareListRecords,
  defineResource,
  insertRecord,
  recordOfPath,
} from '../declare.ts'
import { deployments } from '../deployments/schemas.ts'
import { users } from '../users/schemas.ts'
import { cancelAttempt } from '../webhooks/delivery/engine.ts'
import { deliveries, webhooks } from '../webhooks/schemas.ts'
import { appKind, presentApp } from './present.ts'
import { type App, appChangesSchema, apps, appSchema, newAppSchema } from './schemas.ts'

export const appResource = defineResource({
  operations: [
    declareListRecords(appKind, {
      id: 'apps.list',
      title: 'List apps',
      source: 'stated',
      scope: 'apps:read',
    }),
    declareCreate({
      id: 'apps.create',
      path: '/apps',
      title: 'Create an app',
      scope: 'apps:write',
      body: newAppSchema,
      example: {
        name: 'fern-friend',
        display_name: 'Fern Friend',
        model: 'gpt-4o',
        login_required: false,
      },
      result: appSchema,
      create(exchange, { body }) {
        const { account, plan } = exchange.caller
        const max = planOf(exchange.world, plan).apps
        if (exchange.collection(apps).ownedBy(account.id).size >= max)
          throw new ApiError('insufficient_permissions', `The plan permits ${max} apps.`)
        const app = insertRecord(exchange, appKind, {
          ...body,
          updated_at: exchange.now,
        })
        exchange.emit('app.created', app.id, presentApp(app))
        return presentApp(app)
      },
    }),
    declareGetRecord(appKind, {
      id: 'apps.get',
      title: 'Get an app',
      scope: 'apps:read',
    }),
    declareOperation({
      id: 'apps.update',
      method: 'PATCH',
      path: '/apps/{app_id}',
      title: 'Update an app',
      scope: 'apps:write',
      body: appChangesSchema,
      example: { welcome_message: 'What is growing?' },
      result: appSchema,
      handle(exchange, { params, body }) {
        const app = recordOfPath(exchange, appKind, params)
        const updated = exchange.collection(apps).amend(app, {
          ...body,
          updated_at: exchange.now,
        })
        exchange.emit('app.updated', app.id, presentApp(updated))
        return {
          status: 200,
          body: presentApp(updated),
        }
      },
    }),
    declareDeleteRecord(appKind, {
      id: 'apps.delete',
      title: 'Delete an app',
      scope: 'apps:write',
      deleted(exchange, app) {
        cascade(exchange, app)
        exchange.emit('app.deleted', app.id, presentApp(app))
      },
    }),
  ],
  eventSchemas: {
    'app.created': appSchema,
    'app.updated': appSchema,
    'app.deleted': appSchema,
  },
  collections: { apps },
  schemas: {
    App: appSchema,
    NewApp: newAppSchema,
    AppChanges: appChangesSchema,
  },
})

/**
 * Deletes everything that belongs to an app: conversations with messages, users, deployments, and
 * the webhooks of this app alone with their deliveries. Uses only indexes. If a scenario replaces
 * the apps, the webhooks stay, because they belong to the world.
 */
function cascade(exchange: AuthenticatedExchange, { id, account }: Readonly<App>): void {
  const deleted = exchange.collection(conversations).deleteChildren([id])
  exchange.collection(messages).deleteChildren(deleted.map((conversation) => conversation.id))
  exchange.collection(users).deleteChildren([id])
  exchange.collection(deployments).deleteChildren([id])
  if (exchange.collection(apps) !== exchange.world.collection(apps)) return
  const hooks = exchange.collection(webhooks)
  for (const hook of hooks.ownedBy(account).oldest()) {
    if (hook.app !== id) continue
    for (const delivery of exchange.collection(deliveries).deleteChildren([hook.id]))
      cancelAttempt(exchange.world, delivery)
    hooks.delete(hook.id)
  }
}
