import type { WorldEvent } from '../../../../core/definitions/events.ts'
import type { CoreWorld } from '../../../../core/world/world.ts'
import { webhooks, type Webhook } from '../schemas/webhook.ts'

export function subscribersOf(
  world: CoreWorld,
  { account, type, app }: Pick<WorldEvent, 'account' | 'type' | 'app'>,
): Readonly<Webhook>[] {
  const matches = (webhook: Readonly<Webhook>) =>
    webhook.enabled &&
    (webhook.events as readonly string[]).includes(type) &&
    (webhook.app === null || webhook.app === app)
  return world
    .collection(webhooks)
    .ownedBy(account)
    .take(Infinity, { matches })
    .map(({ record }) => record)
}
