import { expect } from 'vitest'
import type { World } from 'greenhouse-mock'
import { testApi, type Client } from '../support/test-api.ts'

const doomed = 'app_w33c4cwmhfyfktiv'
const spared = 'app_wfr4wqydlhx43ree'
const belonging = ['users', 'conversations', 'messages', 'webhooks', 'deliveries', 'deployments'] as const

/** Creates one of everything for an app, then for the account. */
async function furnish({ call, world }: Pick<Client, 'call' | 'world'>, app: string) {
  for (const email of ['a@example.com', 'b@example.com']) {
    const { body } = await call('POST', `/v1/apps/${app}/conversations`, { body: { user: { email } } })
    await call('POST', `/v1/apps/${app}/conversations/${body.id}/messages`, { body: { content: 'Hello' } })
  }
  await call('POST', `/v1/apps/${app}/deployments`, { body: { domain: `${app.slice(4)}.example.com` } })
  for (const hook of [app, null]) {
    const { id } = await world.records.webhooks.create({
      id: `wh_${hook}_${app}`,
      account: 'acct_pro',
      app: hook,
      url: 'http://127.0.0.1:9/hook',
      events: ['condition.met'],
      enabled: true,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      created_at: 0,
      updated_at: 0,
    })
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

testApi('a deleted app takes all that is its own along, and nothing else', async ({ call, world }) => {
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
    belonging.map((name) => [name, before[name]!.filter((record) => !own[name]!.includes(record))]),
  )
  expect(everything(world)).toEqual(left)
})

testApi('what a deleted app had is 404 for its account, and nothing of it comes later', async ({ call, world }) => {
  const { body } = await call('POST', `/v1/apps/${doomed}/deployments`, { body: { domain: 'chat.example.com' } })
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
})

testApi('the domain of a deleted app is free for others', async ({ call }) => {
  await call('POST', `/v1/apps/${doomed}/deployments`, { body: { domain: 'chat.example.com' } })
  await call('DELETE', `/v1/apps/${doomed}`)
  expect((await call('POST', `/v1/apps/${spared}/deployments`, { body: { domain: 'chat.example.com' } })).status).toBe(
    201,
  )
})

testApi(
  'an app that is not deleted for lack of a scope, or as it is not there, loses nothing',
  async ({ call, world }) => {
    await furnish({ call, world }, doomed)
    const before = everything(world)
    expect((await call('DELETE', `/v1/apps/${doomed}`, { key: 'key_readonly' })).status).toBe(403)
    expect((await call('DELETE', `/v1/apps/${doomed}`, { key: 'key_lite' })).status).toBe(404)
    expect(everything(world)).toEqual(before)
  },
)

testApi('a message that is on its way while its app is deleted leaves nothing behind', async ({ call, world }) => {
  const { body } = await call('POST', `/v1/apps/${doomed}/conversations`, { body: {} })
  const say = () => call('POST', `/v1/apps/${doomed}/conversations/${body.id}/messages`, { body: { content: 'Hello' } })
  const answers = await Promise.all([say(), say(), call('DELETE', `/v1/apps/${doomed}`), say(), say()])
  expect(answers[2]!.status).toBe(204)
  for (const { status } of answers.toSpliced(2, 1)) expect([201, 404]).toContain(status)
  expect(world.records.messages.find(({ conversation }) => conversation === body.id)).toEqual([])
})
