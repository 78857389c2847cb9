import { posix } from 'node:path'
import type { World } from 'greenhouse-mock'
import type { CallOptions, Client } from '../support/test-api.ts'

/** A request as `call` sends it; with `key_pro` unless it names another key. */
export type Sent = [method: string, path: string, options?: CallOptions]

/** A request that succeeds on the default world, or what prepares the world and then gives one. */
export type Prepared = Sent | ((call: Client['call'], world: World) => Promise<Sent>)

/** An app of acct_pro that people talk to. */
const talkative = 'app_w33c4cwmhfyfktiv'

/** A webhook of acct_pro. */
const hook = 'wh_m4t7qzc2xk5wr3nd'

/**
 * One request an operation. Its reply must have something at every place that the contract knows:
 * lists an item, and what can be null a value where it is an object or a list.
 */
export const requests: Record<string, Prepared> = {
  'plants.create': ['POST', '/plants', { body: { id: 5000, name: 'Ficus', tag: 'tree' } }],
  'plants.list': ['GET', '/plants'],
  'plants.delete': async (_, world) => [
    'DELETE',
    `/plants/${world.records.plants.all().find(({ account }) => account === 'acct_pro')!.id}`,
  ],
  'apps.list': ['GET', '/v1/apps'],
  'apps.create': ['POST', '/v1/apps', { body: { name: 'helper' } }],
  'apps.get': async (_, world) => ['GET', `/v1/apps/${ownApp(world)}`],
  'apps.update': async (_, world) => [
    'PATCH',
    `/v1/apps/${ownApp(world)}`,
    { body: { description: 'Helps' } },
  ],
  'apps.delete': async (_, world) => ['DELETE', `/v1/apps/${ownApp(world)}`],
  'users.list': ['GET', `/v1/apps/${talkative}/users`],
  'users.get': async (_, world) => [
    'GET',
    `/v1/apps/${talkative}/users/${world.records.users.all().find(({ app }) => app === talkative)!.id}`,
  ],
  'usage.get': ['GET', `/v1/apps/${talkative}/usage`],
  'usage.account': ['GET', '/v1/usage?group_by=app'],
  'conversations.list': ['GET', `/v1/apps/${talkative}/conversations`],
  'conversations.create': [
    'POST',
    `/v1/apps/${talkative}/conversations`,
    { body: { user: { email: 'a@example.com' } } },
  ],
  'conversations.get': async (_, world) => ['GET', conversationOf(world)],
  'conversations.delete': async (_, world) => ['DELETE', conversationOf(world)],
  'conversations.end': async (_, world) => ['POST', `${conversationOf(world)}/end`],
  'messages.list': async (_, world) => ['GET', `${conversationOf(world)}/messages`],
  'messages.create': async (_, world) => {
    return ['POST', `${conversationOf(world)}/messages`, { body: { content: 'Hello' } }]
  },
  'messages.get': async (_, world) => {
    const { id, conversation } = world.records.messages
      .all()
      .find(({ conversation }) => world.records.conversations.get(conversation)?.app === talkative)!
    return ['GET', `/v1/apps/${talkative}/conversations/${conversation}/messages/${id}`]
  },
  'plans.list': ['GET', '/v1/plans'],
  'plans.get': ['GET', '/v1/plans/lite'],
  'subscription.get': ['GET', '/v1/subscription'],
  'subscription.update': ['PUT', '/v1/subscription', { body: { plan: 'pro_plus' } }],
  'subscription.cancel': ['DELETE', '/v1/subscription'],
  'credits.get': ['GET', '/v1/credits'],
  'purchases.list': ['GET', '/v1/credits/purchases'],
  'purchases.create': [
    'POST',
    '/v1/credits/purchases',
    { body: { amount: 100, payment_method: 'pm_ok' } },
  ],
  'purchases.get': async (_, world) => [
    'GET',
    `/v1/credits/purchases/${world.records.purchases.all().find(({ account }) => account === 'acct_pro')!.id}`,
  ],
  'webhooks.list': ['GET', '/v1/webhooks'],
  'webhooks.create': [
    'POST',
    '/v1/webhooks',
    { body: { url: 'http://127.0.0.1:9/hook', app_id: talkative } },
  ],
  'webhooks.get': ['GET', `/v1/webhooks/${hook}`],
  'webhooks.update': [
    'PATCH',
    `/v1/webhooks/${hook}`,
    { body: { events: ['app.created', 'app.deleted'] } },
  ],
  'webhooks.delete': ['DELETE', `/v1/webhooks/${hook}`],
  'webhooks.rotate-secret': ['POST', `/v1/webhooks/${hook}/rotate-secret`],
  'webhooks.test': ['POST', `/v1/webhooks/${hook}/test`],
  'deliveries.list': async (_, world) => ['GET', posix.dirname(await triedDelivery(world))],
  'deliveries.get': async (_, world) => ['GET', await triedDelivery(world)],
  'deliveries.redeliver': async (_, world) => ['POST', `${await triedDelivery(world)}/redeliver`],
  'deployments.list': async (call) => ['GET', posix.dirname(await failedDeployment(call))],
  'deployments.create': [
    'POST',
    `/v1/apps/${talkative}/deployments`,
    { body: { domain: 'chat.example.com', branding: { name: 'Chat' } } },
  ],
  'deployments.get': async (call) => ['GET', await failedDeployment(call)],
  'deployments.update': async (call) => [
    'PATCH',
    await failedDeployment(call),
    { body: { branding: { name: 'Chat' } } },
  ],
  'deployments.delete': async (call) => ['DELETE', await failedDeployment(call)],
  'deployments.verify': async (call) => ['POST', `${await failedDeployment(call)}/verify`],
  'account.get': ['GET', '/v1/account'],
}

function conversationOf(world: World): string {
  return `/v1/apps/${talkative}/conversations/${world.records.conversations.all().find(({ app, ended_at }) => app === talkative && ended_at === undefined)!.id}`
}

function ownApp(world: World): string {
  return world.records.apps.all().find(({ account }) => account === 'acct_pro')!.id
}

/** The path of a new deployment that has failed. */
async function failedDeployment(call: Client['call']): Promise<string> {
  const { body } = await call('POST', `/v1/apps/${talkative}/deployments`, {
    body: { domain: 'chat.dns-fails.example' },
  })
  const path = `/v1/apps/${talkative}/deployments/${body.id}`
  await call('POST', `${path}/verify`)
  return path
}

/** The path of a delivery that was tried. */
async function triedDelivery({ records, clock }: World): Promise<string> {
  const at = clock.now()
  const attempts = [{ at, status: 500, error: null, latency: 3, response: 'no' }]
  const payload = JSON.stringify({
    type: 'condition.met',
    timestamp: '2026-03-01T12:00:00.000Z',
    data: { credits: 1 },
  })
  await records.deliveries.create({
    id: 'del_aaaaaaaaaaaaaaaa',
    account: 'acct_pro',
    webhook: hook,
    event: 'evt_aaaaaaaaaaaaaaaa',
    type: 'condition.met',
    payload,
    status: 'failed',
    attempts,
    tries: 1,
    next_attempt_at: null,
    created_at: at,
  })
  return `/v1/webhooks/${hook}/deliveries/del_aaaaaaaaaaaaaaaa`
}
