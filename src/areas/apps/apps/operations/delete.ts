import type { Exchange } from '../../../../core/pipeline/exchange.ts'
import { conversations, messages } from '../../conversations/schemas.ts'
import { declareDeleteRecord } from '../../declare.ts'
import { deployments } from '../../deployments/schemas.ts'
import { users } from '../../users/schemas.ts'
import { cancelAttempt } from '../../webhooks/delivery/engine.ts'
import { deliveries, webhooks } from '../../webhooks/schemas.ts'
import { appKind, presentApp } from '../present.ts'
import { type App, apps } from '../schemas.ts'

export const deleteApp = declareDeleteRecord(appKind, {
  id: 'apps.delete',
  path: '/apps/{app_id}',
  title: 'Delete an app',
  scope: 'apps:write',
  deleted(exchange, app) {
    cascade(exchange, app)
    exchange.emit('app.deleted', app.id, presentApp(app))
  },
})

/**
 * Deletes everything that belongs to an app: conversations with messages, users, deployments, and the webhooks of this app alone
 * with their deliveries. Uses only indexes. If a scenario replaces the apps, the webhooks stay, because they belong to the world.
 */
function cascade(exchange: Exchange, { id, account }: Readonly<App>): void {
  const deleted = exchange.collection(conversations).deleteChildren([id])
  exchange.collection(messages).deleteChildren(deleted.map((conversation) => conversation.id))
  exchange.collection(users).deleteChildren([id])
  exchange.collection(deployments).deleteChildren([id])
  if (exchange.collection(apps) !== exchange.world.collection(apps)) return
  const hooks = exchange.collection(webhooks)
  for (const hook of hooks.ownedBy(account).oldest(Infinity)) {
    if (hook.app !== id) continue
    for (const delivery of exchange.collection(deliveries).deleteChildren([hook.id]))
      cancelAttempt(exchange.world, delivery)
    hooks.delete(hook.id)
  }
}
