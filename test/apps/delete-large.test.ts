import { expect, test } from 'vitest'
import { createGreenhouse, type Conversation, type GreenhouseOptions, type Message } from 'greenhouse-mock'
import { createCaller } from '../support/test-api.ts'

const apps = ['app_aaaaaaaaaaaaaaaa', 'app_bbbbbbbbbbbbbbbb', 'app_cccccccccccccccc']
const accounts = ['acct_pro', 'acct_pro_plus', 'acct_pro']

/** Three apps of two accounts, with four conversations each, whose 6,000 messages came in turns. */
function open(options: GreenhouseOptions = {}) {
  const greenhouse = createGreenhouse(options)
  const { records } = greenhouse.world()
  const at = Date.UTC(2026, 0, 1)
  apps.forEach((id, app) => {
    records.apps.create({ id, account: accounts[app]!, name: `App ${app}`, created_at: at, updated_at: at })
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
  const call = createCaller((path, init) => greenhouse.fetch(new Request('http://greenhouse.test' + path, init)))
  return { world: greenhouse.world(), records, call, conversations, stored: records.messages.all() }
}

test("an app takes its thousands of messages along, and leaves the other apps' in their order", async () => {
  const { records, call, conversations, stored } = open()
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

test('what was deleted with an app comes back with a snapshot, and can be written to', async () => {
  const { world, records, call, conversations, stored } = open()
  const everything = records.messages.all()
  world.snapshot('full')
  await call('DELETE', `/v1/apps/${apps[0]}/conversations/${conversations[0]!.id}`)
  await call('DELETE', `/v1/apps/${apps[0]}`)
  world.snapshot('without')
  world.restore('full')
  expect(records.messages.all()).toEqual(everything)
  const { status } = await call('POST', `/v1/apps/${apps[0]}/conversations/${conversations[0]!.id}/messages`, {
    body: { content: 'still here' },
  })
  expect(status).toBe(201)
  expect(records.messages.count()).toBe(
    stored.length + records.messages.find({ conversation: conversations[0]!.id }).length - 500,
  )
  world.restore('without')
  expect(records.messages.count()).toBe(stored.length - 2_000)
})

test('deleted messages make room for as many more', async () => {
  const { records, call, stored } = open({ dataMemory: 6 * 2 ** 20 })
  const { apps: made, conversations } = { apps: records.apps.all(), conversations: records.conversations.all() }
  for (let round = 0; round < 5; round++) {
    for (const [place, id] of apps.entries())
      expect((await call('DELETE', `/v1/apps/${id}`, { key: place === 1 ? 'key_pro_plus' : 'key_pro' })).status).toBe(
        204,
      )
    expect(records.messages.count()).toBe(stored.length - 6_000)
    for (const app of made.filter(({ id }) => apps.includes(id))) records.apps.create(app)
    for (const conversation of conversations.filter(({ app }) => apps.includes(app)))
      records.conversations.create(conversation)
    for (const message of stored.slice(-6_000)) records.messages.create(message)
  }
})
