import { presentApp } from './areas/apps/apps/present.ts'
import { apps, type App } from './areas/apps/apps/schemas.ts'
import { conversationPresenter } from './areas/apps/conversations/present.ts'
import { conversations, messages } from './areas/apps/conversations/schemas.ts'
import { presentDeployment } from './areas/apps/deployments/present.ts'
import { deployments } from './areas/apps/deployments/schemas.ts'
import { presentPurchase } from './areas/apps/payments/present.ts'
import { purchases } from './areas/apps/payments/schemas.ts'
import { presentUser } from './areas/apps/users/present.ts'
import { users } from './areas/apps/users/schemas.ts'
import { plants } from './areas/plants/schemas.ts'
import { accounts } from './core/accounts.ts'
import { toIso } from './core/clock.ts'
import type { EventType } from './core/events.ts'
import type { World } from './core/world.ts'

/** The types of events that happen to an app. */
export const appEvents: ReadonlySet<EventType> = new Set([
  'app.created',
  'app.updated',
  'app.deleted',
  'user.signed_up',
  'message.sent',
  'condition.met',
  'conversation.ended',
  'deployment.live',
  'deployment.failed',
])

/** Data for an event that was triggered without: of the newest records that such an event could be about, made up where there are none. */
export function sampleData(world: World, type: EventType, account: string, app: Readonly<App> | undefined): Record<string, unknown> {
  const named = { app_id: app?.id ?? 'app_aaaaaaaaaaaaaaaa', app_name: app?.name ?? 'sample' }
  switch (type) {
    case 'plant.created': {
      const { id, name, tag } = world.collection(plants).ownedBy(account).newest(1)[0]?.record ?? { id: 1, name: 'Ficus', tag: 'tree' }
      return tag === undefined ? { id, name } : { id, name, tag }
    }
    case 'app.created':
    case 'app.updated':
    case 'app.deleted':
      return app ? presentApp(app) : { id: named.app_id, name: named.app_name }
    case 'user.signed_up':
      return { ...named, user: userOf(world, app) }
    case 'message.sent':
      return messageOf(world, app, named)
    case 'condition.met':
      return { ...named, condition: { name: 'credits_low', threshold: 10, balance: 10 } }
    case 'conversation.ended': {
      const conversation = app && world.collection(conversations).partsOf(app.id).newest(1)[0]?.record
      return { ...named, conversation: conversation ? { ...conversationPresenter(world)(conversation), status: 'ended', ended_at: toIso(world.clock.now()) } : null }
    }
    case 'deployment.live':
    case 'deployment.failed': {
      const deployment = app && world.collection(deployments).partsOf(app.id).newest(1)[0]?.record
      return { ...(deployment ? presentDeployment(deployment) : { id: 'dep_aaaaaaaaaaaaaaaa', app_id: named.app_id, domain: 'chat.example.com' }), state: type === 'deployment.live' ? 'live' : 'failed' }
    }
    case 'subscription.updated':
    case 'subscription.canceled':
      return { plan: world.collection(accounts).get(account)?.plan ?? 'free', status: type === 'subscription.canceled' ? 'canceled' : 'active' }
    case 'credits.purchased':
    case 'payment.failed': {
      const purchase = world.collection(purchases).ownedBy(account).newest(1)[0]?.record
      const shown = purchase ? presentPurchase(purchase) : { id: 'pur_aaaaaaaaaaaaaaaa', amount: 1_000, payment_method: 'pm_ok' }
      return { ...shown, status: type === 'credits.purchased' ? 'succeeded' : 'failed' }
    }
    case 'webhook.test':
      return { message: 'This is a test.' }
  }
}

function userOf(world: World, app: Readonly<App> | undefined) {
  const user = app && world.collection(users).partsOf(app.id).newest(1)[0]?.record
  return user ? presentUser(user) : { id: 'usr_aaaaaaaaaaaaaaaa', email: 'sam@example.com', name: 'Sam', signup_date: toIso(world.clock.now()) }
}

function messageOf(world: World, app: Readonly<App> | undefined, named: object) {
  const conversation = app && world.collection(conversations).partsOf(app.id).newest(1)[0]?.record
  const said = conversation && world.collection(messages).partsOf(conversation.id)
  const [answer, question] = said?.newest(2).map(({ record }) => record.content) ?? []
  return {
    ...named,
    user: userOf(world, app),
    conversation: {
      id: conversation?.id ?? 'conv_aaaaaaaaaaaaaaaa',
      message_count: said?.size ?? 2,
      last_message: question ?? 'How often should I water a ficus?',
      ai_response: answer ?? 'Once a week.',
    },
    metadata: { session_duration: 90, platform: conversation?.platform ?? 'web' },
  }
}

/** The app that an event without one is about: the newest of the account. */
export function sampleApp(world: World, account: string): Readonly<App> | undefined {
  return world.collection(apps).ownedBy(account).newest(1)[0]?.record
}
