import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { answerCalls } from './calls.mjs'
import { toId } from './fixtures.mjs'

answerCalls({ run })

/**
 * Milliseconds until `events` events have reached `webhooks` webhooks each, all of them of one
 * account.
 */
async function run({ dist, receiver, webhooks, events }) {
  const from = (file) => import(new URL(file, pathToFileURL(`${dist}/`)))
  const { createGreenhouse } = await from('index.js')
  const { serve } = await from('server.js')
  const greenhouse = createGreenhouse({ fixtures: toFixtures(receiver, webhooks), memory: 2 ** 30 })
  const server = await serve(greenhouse)
  const world = greenhouse.world()
  const began = performance.now()
  for (let event = 0; event < events; event++)
    await world.trigger('plant.created', undefined, { account: 'acct_bench' })
  await world.settled()
  const milliseconds = performance.now() - began
  const made = world.records.deliveries.all()
  const failed = made.filter(({ attempts }) => attempts.at(-1)?.status !== 200).length
  if (made.length !== webhooks * events || failed > 0)
    throw new Error(
      `Expected ${webhooks * events} deliveries, not ${made.length}, of which ${failed} failed.`,
    )
  await server.close()
  return milliseconds
}

function toFixtures(url, count) {
  const account = 'acct_bench'
  return {
    accounts: [{ id: account, name: 'Bench', email: 'bench@example.com', plan: 'pro_plus' }],
    keys: [{ secret: 'key', account }],
    plants: [{ id: 1, name: 'Fern', account }],
    webhooks: Array.from({ length: count }, (_, number) => ({
      id: toId('wh', number),
      account,
      app: null,
      url,
      events: ['plant.created'],
      enabled: true,
      secret: 'whsec_Z3JlZW5ob3VzZS1maXh0dXJlLXNlY3JldA==',
      created_at: '1d ago',
    })),
  }
}
