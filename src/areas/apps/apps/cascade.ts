import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversations } from '../conversations/schemas/conversation.ts'
import { messages } from '../conversations/schemas/message.ts'
import { deployments } from '../deployments/schemas.ts'
import { users } from '../users/schemas.ts'
import { cancelAttempt } from '../webhooks/delivery/engine.ts'
import { deliveries } from '../webhooks/schemas/delivery.ts'
import { webhooks } from '../webhooks/schemas/webhook.ts'
import { apps, type App } from './schemas.ts'

/**
 * Deletes everything that belongs to an app: conversations with messages, users, deployments, and the webhooks of this app alone
 * with their deliveries. Uses only indexes. If a scenario replaces the apps, the webhooks stay, because they belong to the world.
 */
export function cascade(exchange: Exchange, { id, account }: Readonly<App>): void {
  const deleted = exchange.collection(conversations).deleteParts([id])
  exchange.collection(messages).deleteParts(deleted.map((conversation) => conversation.id))
  exchange.collection(users).deleteParts([id])
  exchange.collection(deployments).deleteParts([id])
  if (exchange.isReplaced(apps)) return
  const hooks = exchange.collection(webhooks)
  for (const hook of hooks.ownedBy(account).oldest(Infinity)) {
    if (hook.app !== id) continue
    for (const delivery of exchange.collection(deliveries).deleteParts([hook.id]))
      cancelAttempt(exchange.world, delivery)
    hooks.delete(hook.id)
  }
}
