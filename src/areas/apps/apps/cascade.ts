import type { CollectionDefinition } from '../../../core/store/collection.ts'
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
  for (const conversation of deleteParts(exchange, conversations, id)) deleteParts(exchange, messages, conversation.id)
  deleteParts(exchange, users, id)
  deleteParts(exchange, deployments, id)
  if (exchange.pretends(apps)) return
  const hooks = exchange.collection(webhooks)
  for (const hook of hooks.ownedBy(account).oldest(Infinity)) {
    if (hook.app !== id) continue
    for (const delivery of deleteParts(exchange, deliveries, hook.id)) forget(exchange.world, delivery)
    hooks.delete(hook.id)
  }
}

/** Deletes the records that are parts of `parent` and gives them. */
function deleteParts<T extends object>(
  exchange: Exchange,
  definition: CollectionDefinition<T>,
  parent: string,
): Readonly<T>[] {
  const records = exchange.collection(definition)
  const parts = records.partsOf(parent).oldest(Infinity)
  for (const part of parts) records.delete(definition.key(part))
  return parts
}
