import { expect, test } from 'vitest'
import type { Conversation, GreenhouseOptions, Message, World } from 'greenhouse-mock'
import { type Client, open, start, testApi } from '../support/test-api.ts'
import { putWebhook } from '../webhooks/open.ts'

const doomed = 'app_w33c4cwmhfyfktiv'
const spared = 'app_wfr4wqydlhx43ree'
const belonging = [
  'users',
  'conversations',
  'messages',
  'webhooks',
  'deliveries',
  'deployments',
] as const

/** Creates one of everything for an app, then for the account. */
async function furnish({ call, world }: Pick<Client, 'call' | 'world'>, app: string) {
  for (const email of ['a@example.com', 'b@example.com']) {
    const { body } = await call('POST', `/v1/apps/${app}/conversations`, {
      body: { user: { email } },
    })
    await call('POST', `/v1/apps/${app}/conversations/${body.id}/messages`, {
      body: { content: 'Hello' },
    })
  }
  await call('POST', `/v1/apps/${app}/deployments`, {
    body: { domain: `${app.slice(4)}.example.com` },
  })
  for (const hook of [app, null]) {
    const id = `wh_${hook}_${app}`
    await putWebhook(world, id, { app: hook, events: ['condition.met'] })
    await world.records.deliveries.create({
      id: `del_${id}`,
      account: 'acct_pro',
      webhook: id,
      event: 'evt_1',
      type: 'condition.met',
      payload: '{}',
      status: 'succeeded',
      attempts: [],
      tries: 0,
      next_attempt_at: null,
      created_at: 0,
    })
  }
}

/** Returns the records that belong to an app, directly or through a parent. */
function ownOf({ records }: World, app: string): Record<string, object[]> {
  const of = (owned: readonly { id: string }[]) => new Set(owned.map(({ id }) => id))
  const conversations = records.conversations.find((conversation) => conversation.app === app)
  const webhooks = records.webhooks.find((webhook) => webhook.app === app)
  return {
    users: records.users.find((user) => user.app === app),
    conversations,
    messages: records.messages.find(({ conversation }) => of(conversations).has(conversation)),
    webhooks,
    deliveries: records.deliveries.find(({ webhook }) => of(webhooks).has(webhook)),
    deployments: records.deployments.find((deployment) => deployment.app === app),
  }
}

const everything = ({ records }: World) =>
  Object.fromEntries(belonging.map((name) => [name, records[name].all() as object[]]))

testApi(
  'a deleted app takes all that is its own along, and nothing else',
  async ({ call, world }) => {
    await furnish({ call, world }, doomed)
    await furnish({ call, world }, spared)
    await world.settled()
    const before = everything(world)
    const own = ownOf(world, doomed)
    for (const name of belonging) {
      expect(own[name]!.length, name).toBeGreaterThan(0)
      expect(before[name]!.length, name).toBeGreaterThan(own[name]!.length)
    }
    expect((await call('DELETE', `/v1/apps/${doomed}`)).status).toBe(204)
    const left = Object.fromEntries(
      belonging.map((name) => [
        name,
        before[name]!.filter((record) => !own[name]!.includes(record)),
      ]),
    )
    expect(everything(world)).toEqual(left)
  },
)

testApi(
  'a deleted app takes its records along, and sends nothing later',
  async ({ call, world }) => {
    const { body } = await call('POST', `/v1/apps/${doomed}/deployments`, {
      body: { domain: 'chat.example.com' },
    })
    await call('POST', `/v1/apps/${doomed}/deployments/${body.id}/verify`)
    const conversation = (await call('POST', `/v1/apps/${doomed}/conversations`, { body: {} })).body
    await call('DELETE', `/v1/apps/${doomed}`)
    for (const path of [
      '',
      '/users',
      '/conversations',
      `/conversations/${conversation.id}`,
      `/conversations/${conversation.id}/messages`,
    ])
      expect((await call('GET', `/v1/apps/${doomed}${path}`)).status, path).toBe(404)
    expect((await call('GET', `/v1/apps/${doomed}/deployments/${body.id}`)).status).toBe(404)
    world.clock.advance('100h')
    await world.settled()
    expect(world.records.deployments.get(body.id)).toBeUndefined()
  },
)

testApi('the domain of a deleted app is free for others', async ({ call }) => {
  await call('POST', `/v1/apps/${doomed}/deployments`, { body: { domain: 'chat.example.com' } })
  await call('DELETE', `/v1/apps/${doomed}`)
  expect(
    (await call('POST', `/v1/apps/${spared}/deployments`, { body: { domain: 'chat.example.com' } }))
      .status,
  ).toBe(201)
})

testApi('an app that may not be deleted loses nothing', async ({ call, world }) => {
  await furnish({ call, world }, doomed)
  const before = everything(world)
  expect((await call('DELETE', `/v1/apps/${doomed}`, { key: 'key_readonly' })).status).toBe(403)
  expect((await call('DELETE', `/v1/apps/${doomed}`, { key: 'key_lite' })).status).toBe(404)
  expect(everything(world)).toEqual(before)
})

testApi(
  'a message that is on its way while its app is deleted leaves nothing behind',
  async ({ call, world }) => {
    const { body } = await call('POST', `/v1/apps/${doomed}/conversations`, { body: {} })
    const say = () =>
      call('POST', `/v1/apps/${doomed}/conversations/${body.id}/messages`, {
        body: { content: 'Hello' },
      })
    const answers = await Promise.all([
      say(),
      say(),
      call('DELETE', `/v1/apps/${doomed}`),
      say(),
      say(),
    ])
    expect(answers[2]!.status).toBe(204)
    for (const { status } of answers.toSpliced(2, 1)) expect([201, 404]).toContain(status)
    expect(world.records.messages.find(({ conversation }) => conversation === body.id)).toEqual([])
  },
)

testApi("app.deleted reaches the account's webhooks, not an app's", async ({ call, world }) => {
  const app = 'app_w33c4cwmhfyfktiv'
  const apps = { wh_app: app, wh_account: null, wh_other: 'app_wfr4wqydlhx43ree' }
  for (const [id, app] of Object.entries(apps))
    await putWebhook(world, id, { app, events: ['app.deleted'] })
  const { body } = await call('GET', `/v1/apps/${app}`)
  await call('DELETE', `/v1/apps/${app}`)
  await world.settled()
  const hooks = ['wh_app', 'wh_account', 'wh_other']
  expect(hooks.filter((id) => world.records.webhooks.get(id))).toEqual(['wh_account', 'wh_other'])
  const told = world.records.deliveries
    .find(({ webhook }) => ['wh_app', 'wh_account', 'wh_other'].includes(webhook))
    .map(({ webhook, payload }) => [webhook, JSON.parse(payload)])
  expect(told).toEqual([['wh_account', { type: 'app.deleted', timestamp: start, data: body }]])
})

const apps = ['app_aaaaaaaaaaaaaaaa', 'app_bbbbbbbbbbbbbbbb', 'app_cccccccccccccccc']
const accounts = ['acct_pro', 'acct_pro_plus', 'acct_pro']

/** Three apps of two accounts, with four conversations each, whose 6,000 messages came in turns. */
function openFull(options: GreenhouseOptions = {}) {
  const { call, world } = open(options)
  const { records } = world
  const at = Date.UTC(2026, 0, 1)
  apps.forEach((id, app) => {
    records.apps.create({
      id,
      account: accounts[app]!,
      name: `App ${app}`,
      created_at: at,
      updated_at: at,
    })
  })
  const conversations: Conversation[] = Array.from({ length: 12 }, (_, place) => ({
    id: `conv_${String.fromCharCode(97 + place).repeat(16)}`,
    account: accounts[place % 3]!,
    app: apps[place % 3]!,
    user: null,
    platform: 'api',
    created_at: at,
  }))
  for (const conversation of conversations) records.conversations.create(conversation)
  const messages: Message[] = Array.from({ length: 6_000 }, (_, place) => ({
    id: `msg_${String(place).padStart(16, 'a')}`,
    account: conversations[place % 12]!.account,
    conversation: conversations[place % 12]!.id,
    role: 'user',
    content: `message ${place}`,
    credits: 0,
    created_at: at + place,
  }))
  for (const message of messages) records.messages.create(message)
  return { world, records, call, conversations, stored: records.messages.all() }
}

test("an app takes its thousands of messages along, and leaves the other apps' in their order", async () => {
  const { records, call, conversations, stored } = openFull()
  expect((await call('DELETE', `/v1/apps/${apps[0]}`)).status).toBe(204)
  const own = new Set(conversations.filter(({ app }) => app === apps[0]).map(({ id }) => id))
  const left = stored.filter(({ conversation }) => !own.has(conversation))
  expect(left.length).toBe(stored.length - 2_000)
  expect(records.messages.all()).toEqual(left)
  expect(records.messages.count()).toBe(left.length)
  expect(stored.filter(({ id }) => records.messages.get(id) === undefined).length).toBe(2_000)
  const other = conversations.find(({ app }) => app === apps[1])!
  const path = `/v1/apps/${apps[1]}/conversations/${other.id}/messages`
  const { body } = await call('GET', `${path}?limit=100&order=asc`, { key: 'key_pro_plus' })
  expect(body.data.map((message: { id: string }) => message.id)).toEqual(
    stored
      .filter(({ conversation }) => conversation === other.id)
      .slice(0, 100)
      .map(({ id }) => id),
  )
})

test('a snapshot brings back the records of a deleted app, and they can change', async () => {
  const { world, records, call, conversations, stored } = openFull()
  const everything = records.messages.all()
  world.snapshot('full')
  await call('DELETE', `/v1/apps/${apps[0]}/conversations/${conversations[0]!.id}`)
  await call('DELETE', `/v1/apps/${apps[0]}`)
  world.snapshot('without')
  world.restore('full')
  expect(records.messages.all()).toEqual(everything)
  const { status } = await call(
    'POST',
    `/v1/apps/${apps[0]}/conversations/${conversations[0]!.id}/messages`,
    {
      body: { content: 'still here' },
    },
  )
  expect(status).toBe(201)
  expect(records.messages.count()).toBe(
    stored.length + records.messages.find({ conversation: conversations[0]!.id }).length - 500,
  )
  world.restore('without')
  expect(records.messages.count()).toBe(stored.length - 2_000)
})

test('deleted messages make room for as many more', async () => {
  const { records, call, stored } = openFull({ memory: 6 * 2 ** 20 })
  const { apps: made, conversations } = {
    apps: records.apps.all(),
    conversations: records.conversations.all(),
  }
  for (let round = 0; round < 5; round++) {
    for (const [place, id] of apps.entries())
      expect(
        (await call('DELETE', `/v1/apps/${id}`, { key: place === 1 ? 'key_pro_plus' : 'key_pro' }))
          .status,
      ).toBe(204)
    expect(records.messages.count()).toBe(stored.length - 6_000)
    for (const app of made.filter(({ id }) => apps.includes(id))) records.apps.create(app)
    for (const conversation of conversations.filter(({ app }) => apps.includes(app)))
      records.conversations.create(conversation)
    for (const message of stored.slice(-6_000)) records.messages.create(message)
  }
})
