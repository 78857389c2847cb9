import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

/**
 * Starts a request, keeps nothing of it but its promise, collects garbage, and gives up. Only
 * Greenhouse keeps the process alive.
 */
const script = (what: string) => `
  import { createGreenhouse } from '${entry('index')}'
  const greenhouse = createGreenhouse()
  const url = 'http://apps.test/v1/apps'
  const headers = (scenario) => ({ authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario })
  const send = (signal, scenario) => greenhouse.fetch(new Request(url, { signal, headers: headers(scenario) }))
  const chat = async (signal) => {
    const { id, app } = greenhouse.world().records.conversations.all().find((one) => one.ended_at === undefined)
    const init = { method: 'POST', body: '{"content":"Hello","stream":true}', signal }
    const sent = { ...init, headers: { ...headers('stream-stalls'), 'content-type': 'application/json' } }
    return greenhouse.fetch(new Request(url + '/' + app + '/conversations/' + id + '/messages', sent))
  }
  const collect = async () => { for (let i = 0; i < 5; i++) { await new Promise((resolve) => setImmediate(resolve)); gc() } }
  const outcome = (promise) => promise.then(() => 'answered', (error) => (error.isAxiosError ? error.code : error.name))
  const result = await (${what})()
  console.log(JSON.stringify(result))`

test.each<[title: string, what: string, outcome: unknown]>([
  [
    'a request that is never answered',
    `async () => {
      const controller = new AbortController()
      const signals = [controller.signal, AbortSignal.any([controller.signal]), AbortSignal.timeout(1_000)]
      const pending = signals.map((signal) => outcome(send(signal, 'timeout')))
      await collect()
      controller.abort()
      return Promise.all(pending)
    }`,
    ['AbortError', 'AbortError', 'TimeoutError'],
  ],
  [
    'a reply that is held back, a body that drips and a stream that stalls',
    `async () => {
      const limit = () => AbortSignal.timeout(1_000)
      const delayed = outcome(send(limit(), 'slow:ms=3600000'))
      const dripped = outcome((await send(limit(), 'drip')).text())
      await collect()
      return [await delayed, await dripped, await outcome((await chat(limit())).text())]
    }`,
    ['TimeoutError', 'TimeoutError', 'TimeoutError'],
  ],
  [
    'a request of fetch or node:http through MSW',
    `async () => {
      const { createHandlers } = await import('${entry('msw')}')
      const { setupServer } = await import('msw/node')
      setupServer(...createHandlers(greenhouse, { apps: 'http://apps.test/v1' })).listen()
      const { default: axios } = await import('axios')
      const pending = ['timeout', 'slow:ms=3600000'].flatMap((scenario) => [
        outcome(fetch(url, { signal: AbortSignal.timeout(1_000), headers: headers(scenario) })),
        outcome(axios.get(url, { timeout: 1_000, headers: headers(scenario) })),
      ])
      // A request that its client gives up before it arrives is in no journal.
      while (greenhouse.world().journal.size < 4) await new Promise((resolve) => setImmediate(resolve))
      await collect()
      return [...await Promise.all(pending), greenhouse.world().journal.calls().map(({ aborted }) => aborted)]
    }`,
    ['TimeoutError', 'ECONNABORTED', 'TimeoutError', 'ECONNABORTED', [true, true, true, true]],
  ],
  [
    'a test of withWorld',
    `async () => {
      const { createWithWorld } = await import('${entry('testing')}')
      let result
      await createWithWorld({ apps: 'http://apps.test/v1' })(async ({ world, api }) => {
        world.use('timeout')
        result = await outcome(fetch(api.appsUrl + '/apps', { signal: AbortSignal.timeout(1_000) }))
      })()
      return result
    }`,
    'TimeoutError',
  ],
  [
    'what waits when the Greenhouse is closed',
    `async () => {
      const pending = [outcome((await chat()).text()), outcome(send(undefined, 'timeout'))]
      await collect()
      greenhouse.close()
      return Promise.all(pending)
    }`,
    ['TypeError', 'TypeError'],
  ],
])(
  "%s ends with its client's patience, whatever was collected meanwhile",
  async (_, what, expected) => {
    expect(await runScript(script(what), ['--expose-gc'])).toEqual(expected)
  },
)
