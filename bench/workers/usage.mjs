import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'
import { toId } from './fixtures.mjs'

let greenhouse

answerCalls({ open, run })

/** Makes a world in which one account has `count` messages, in conversations of ten. */
async function open({ dist, count }) {
  const { createGreenhouse } = await import(new URL('index.js', pathToFileURL(`${dist}/`)))
  greenhouse = createGreenhouse({ fixtures: toFixtures(count), memory: 2 ** 30 })
  await ask()
}

/** Milliseconds of each of `times` requests for the account's usage. */
async function run({ times }) {
  const took = []
  for (let number = 0; number < times; number++) took.push(await ask())
  return took
}

async function ask() {
  const request = new Request('http://apps.test/v1/usage', {
    headers: { Authorization: 'Bearer key' },
  })
  const began = performance.now()
  const response = await greenhouse.fetch(request)
  const milliseconds = performance.now() - began
  const text = await response.text()
  if (response.status !== 200) throw new Error(`The usage was answered ${response.status}: ${text}`)
  return milliseconds
}

function toFixtures(count) {
  const account = 'acct_bench'
  const at = '1d ago'
  const app = toId('app', 0)
  const size = 10
  const messages = Array.from({ length: count }, (_, number) => ({
    id: toId('msg', number),
    account,
    conversation: toId('conv', Math.floor(number / size)),
    role: number % 2 === 0 ? 'user' : 'assistant',
    created_at: at,
    content: `Message ${number}`,
  }))
  return {
    accounts: [{ id: account, name: 'Bench', email: 'bench@example.com', plan: 'pro_plus' }],
    keys: [{ secret: 'key', account }],
    apps: [{ id: app, account, name: 'bench', display_name: 'Bench', created_at: '90d ago' }],
    users: [
      {
        id: toId('usr', 0),
        account,
        app,
        email: 'user@example.com',
        name: 'User',
        created_at: '80d ago',
      },
    ],
    conversations: Array.from({ length: Math.ceil(count / size) }, (_, number) => ({
      id: toId('conv', number),
      account,
      app,
      user: toId('usr', 0),
      platform: 'web',
      created_at: at,
    })),
    messages,
  }
}
