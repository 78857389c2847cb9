import { expect, test } from 'vitest'
import { entry, runScript } from './node.ts'

/** Starts a request, keeps nothing of it but its promise, collects garbage, and gives up. */
const script = (what: string, before = '') => `
  import { createGreenhouse } from '${entry('index')}'
  const greenhouse = createGreenhouse()
  ${before}
  const send = (signal, scenario) => greenhouse.fetch(new Request('http://greenhouse.test/v1/apps', { signal, headers: { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': scenario } }))
  const collect = async () => { for (let i = 0; i < 5; i++) { await new Promise((resolve) => setImmediate(resolve)); gc() } }
  const outcome = (promise) => promise.then(() => 'answered', (error) => error.name)
  // So that a signal's own timer, which keeps no process alive, has the time that it takes.
  const alive = setInterval(() => {}, 1_000)
  const result = await (${what})()
  console.log(JSON.stringify(result))
  clearInterval(alive)`

const never = (what: string, before?: string) => runScript(script(what, before), ['--expose-gc'])

test("a request that is never answered ends with its client's patience, whatever was collected meanwhile", async () => {
  const result = never(`async () => {
    const controller = new AbortController()
    const pending = outcome(send(controller.signal, 'timeout'))
    await collect()
    controller.abort()
    return pending
  }`)
  expect(await result).toBe('AbortError')
})

test('so it does where the signal has a time limit, or is one of several', async () => {
  const result = never(`async () => {
    const controller = new AbortController()
    const pending = [outcome(send(AbortSignal.timeout(200), 'timeout')), outcome(send(AbortSignal.any([controller.signal]), 'timeout'))]
    await collect()
    controller.abort()
    return Promise.all(pending)
  }`)
  expect(await result).toEqual(['TimeoutError', 'AbortError'])
})

test('a reply that is held back, and a body that drips, end so too', async () => {
  const result = never(`async () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const delayed = outcome(send(one.signal, 'slow:ms=3600000'))
    const dripped = outcome((await send(other.signal, 'drip')).text())
    await collect()
    one.abort()
    other.abort()
    return [await delayed, await dripped]
  }`)
  expect(await result).toEqual(['AbortError', 'AbortError'])
})

test('so it does through MSW', async () => {
  const result = never(
    `async () => {
    const controller = new AbortController()
    const pending = outcome(fetch('http://apps.test/v1/apps', { signal: controller.signal, headers: { 'x-greenhouse-scenario': 'timeout' } }))
    await collect()
    await collect()
    controller.abort()
    const result = await pending
    server.close()
    return result
  }`,
    `const { createHandlers } = await import('${entry('msw')}')
     const { setupServer } = await import('msw/node')
     const server = setupServer(...createHandlers(greenhouse, { apps: 'http://apps.test/v1' }))
     server.listen()`,
  )
  expect(await result).toBe('AbortError')
})
