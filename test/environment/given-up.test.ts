import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

/** Starts a request, keeps nothing of it but its promise, collects garbage, and gives up. Only Greenhouse keeps the process alive. */
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
  const openMsw = async () => {
    const { createHandlers } = await import('${entry('msw')}')
    const { setupServer } = await import('msw/node')
    const server = setupServer(...createHandlers(greenhouse, { apps: 'http://apps.test/v1' }))
    server.listen()
    return server
  }
  const result = await (${what})()
  console.log(JSON.stringify(result))`

test.each<[title: string, what: string, outcome: unknown]>([
  [
    'a request that is never answered',
    `async () => {
      const controller = new AbortController()
      const pending = outcome(send(controller.signal, 'timeout'))
      await collect()
      controller.abort()
      return pending
    }`,
    'AbortError',
  ],
  [
    'one whose signal has a time limit, or is one of several',
    `async () => {
      const controller = new AbortController()
      const signals = [AbortSignal.timeout(1_000), AbortSignal.any([controller.signal])]
      const pending = signals.map((signal) => outcome(send(signal, 'timeout')))
      await collect()
      controller.abort()
      return Promise.all(pending)
    }`,
    ['TimeoutError', 'AbortError'],
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
    'a request through MSW',
    `async () => {
      const server = await openMsw()
      const pending = outcome(fetch(url, { signal: AbortSignal.timeout(1_000), headers: headers('timeout') }))
      await collect()
      await collect()
      return pending.finally(() => server.close())
    }`,
    'TimeoutError',
  ],
  [
    'one of node:http through MSW',
    `async () => {
      await openMsw()
      const { default: axios } = await import('axios')
      const codes = []
      for (const scenario of ['timeout', 'slow:ms=3600000'])
        codes.push(await outcome(axios.get(url, { timeout: 200, headers: headers(scenario) })))
      await collect()
      return [...codes, greenhouse.world().journal.calls().map(({ aborted }) => aborted)]
    }`,
    ['ECONNABORTED', 'ECONNABORTED', [true, true]],
  ],
  [
    'a test of withWorld',
    `async () => {
      const { createWithWorld } = await import('${entry('testing')}')
      const withWorld = createWithWorld({ apps: 'http://apps.test/v1' })
      let result
      await withWorld(async ({ world, api }) => {
        world.use('timeout')
        result = await outcome(fetch(api.appsUrl + '/apps', { signal: AbortSignal.timeout(1_000) }))
      })()
      return result
    }`,
    'TimeoutError',
  ],
])("%s ends with its client's patience, whatever was collected meanwhile", async (_, what, expected) => {
  expect(await runScript(script(what), ['--expose-gc'])).toEqual(expected)
})

test('a closed Greenhouse cuts what still waits', async () => {
  const result = runScript(
    script(`async () => {
      const stalled = await chat(undefined)
      const pending = [outcome(stalled.text()), outcome(send(undefined, 'timeout'))]
      await collect()
      greenhouse.close()
      return Promise.all(pending)
    }`),
    ['--expose-gc'],
  )
  expect(await result).toEqual(['TypeError', 'TypeError'])
})
