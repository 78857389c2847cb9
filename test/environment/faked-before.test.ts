import { expect, onTestFinished, test, vi } from 'vitest'
import { entry, runScript } from './node.ts'

test('timers that Vitest, Jest or Sinon faked before Greenhouse was loaded are seen through', async () => {
  const real = { setTimeout, clearTimeout, Date }
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  expect(Date.now()).toBe(0)
  // Loaded again, as it is by a test that fakes timers first.
  const late = await import(/* @vite-ignore */ `../../src/core/time/system-time.ts?${'late'}`)
  expect(late).toMatchObject({ ...real, timersAreFaked: false })
  expect(late.systemNow()).toBeGreaterThan(0)
  await new Promise<void>((resolve) => late.setImmediate(resolve))
})

const ask = `
  const { serve } = await import('${entry('server')}')
  const server = await serve(greenhouse)
  // Node's own fetch waits with the timers that are faked.
  const { get } = await import('node:http')
  const headers = { authorization: 'Bearer key_pro', 'x-greenhouse-scenario': 'slow:ms=5' }
  const status = await new Promise((resolve) => get(server.url + '/plants', { headers }, (reply) => resolve(reply.resume().statusCode)))
  await server.close()
  const year = new Date(greenhouse.world().clock.now()).getUTCFullYear()
  console.log(JSON.stringify([status, year > 2000]))`

const jestFakes = `for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate'])
  globalThis[name] = Object.assign(() => 1, { _isMockFunction: true })`
const yearOfMocked = '1970 + Math.floor(greenhouse.world().clock.now() / 31_556_952_000)'

test.each([
  [
    'timers that node:test mocks after Greenhouse was loaded stop nothing',
    '',
    'mock.timers.enable()',
    ask,
  ],
  [
    'a Date alone that node:test mocked before moves no world',
    "mock.timers.enable({ apis: ['Date'] })",
    '',
    ask.replace('new Date(greenhouse.world().clock.now()).getUTCFullYear()', yearOfMocked),
  ],
  ["Jest's legacy fakes, made before, are passed by in Node", jestFakes, '', ask],
])('%s', async (_, before, after, ask) => {
  const script = `
    import { mock } from 'node:test'
    ${before}
    const { createGreenhouse } = await import('${entry('index')}')
    ${after}
    const greenhouse = createGreenhouse()
    ${ask}`
  expect(await runScript(script)).toEqual([200, true])
})

test('timers mocked earlier by node:test are an error with advice, since nothing would end', async () => {
  const script = `
    import { mock } from 'node:test'
    mock.timers.enable()
    const { createGreenhouse } = await import('${entry('index')}')
    try { createGreenhouse() } catch (error) { console.log(JSON.stringify(error.message)) }`
  expect(await runScript(script)).toMatch(
    /timers were faked before it was loaded.*Import it at the top of the file/,
  )
})
