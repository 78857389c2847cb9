import type { Exchange } from '../../../core/pipeline/exchange.ts'
import { conversations } from '../conversations/schemas/conversation.ts'
import { messages } from '../conversations/schemas/message.ts'
import { deployments } from '../deployments/schemas.ts'
import { users } from '../users/schemas.ts'
import { forget } from '../webhooks/delivery/engine.ts'
import { deliveries } from '../webhooks/schemas/delivery.ts'
import { webhooks } from '../webhooks/schemas/webhook.ts'
import { apps, type App } from './schemas.ts'

/**
 * Deletes all that is an app's own: its conversations with their messages, its users, its deployments, and the webhooks that
 * are told of it alone with their deliveries. Everything is found by index. Webhooks are the world's, and stay where the app
 * goes only for as long as a scenario is on.
 */
export function cascade(exchange: Exchange, { id, account }: Readonly<App>): void {
  const talks = exchange.collection(conversations).deleteParts([id])
  exchange.collection(messages).deleteParts(talks.map((conversation) => conversation.id))
  exchange.collection(users).deleteParts([id])
  exchange.collection(deployments).deleteParts([id])
  if (exchange.pretends(apps)) return
  const hooks = exchange.collection(webhooks)
  for (const hook of hooks.ownedBy(account).oldest(Infinity)) {
    if (hook.app !== id) continue
    for (const delivery of exchange.collection(deliveries).deleteParts([hook.id])) forget(exchange.world, delivery)
    hooks.delete(hook.id)
  }
}
