import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createTest } from 'greenhouse-mock/vitest'
import { bundlePage } from '../browser/bundle.ts'
import { canRun, sharedBrowser } from '../browser/chromium.ts'
import { serveSite } from '../browser/site.ts'
import { serveStranger } from '../browser/strangers.ts'
import { adapters } from '../support/adapters.ts'
import { findHidden, inChromium, inHappyDom, inJsdom, key, ways, type Ask } from './pages.ts'

const served = createTest()
const bases = { plants: 'http://plants.test', apps: 'http://apps.test/v1' }
const server = setupServer(...createHandlers(createGreenhouse(), bases))
const answered = createTest({ plants: 'http://own.test', apps: 'http://own.test/v1', server })

let site: Awaited<ReturnType<typeof serveStranger>>
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  site = await serveStranger()
})
afterAll(() => {
  server.close()
  site.close()
})

async function visit(url: string): Promise<Ask> {
  const page = await (await sharedBrowser()).newPage()
  onTestFinished(() => page.close())
  await page.goto(url)
  return inChromium(page)
}

const pages = { ...(canRun && { Chromium: visit }), jsdom: inJsdom, 'happy-dom': inHappyDom }
describe.each(Object.entries(pages))('a page with cookies in %s reads every reply of', (name, open) => {
  const openHere = () => open(`http://localhost:${site.port}/`)

  test.each(adapters.filter(({ overSocket }) => overSocket))('$name', async (adapter) => {
    const greenhouse = createGreenhouse()
    const { url, close } = await adapter.open(greenhouse)
    onTestFinished(close)
    expect(await findHidden(await openHere(), `${url}/v1`)).toEqual([])
  })

  served("Vitest's fixture", async ({ api }) => {
    expect(await findHidden(await openHere(), api.appsUrl)).toEqual([])
  })

  answered.skipIf(name === 'Chromium')("Vitest's fixture with base URLs", async ({ api }) => {
    expect(await findHidden(await openHere(), api.appsUrl)).toEqual([])
  })

  test('MSW', async () => {
    if (name !== 'Chromium') return expect(await findHidden(await openHere(), bases.apps)).toEqual([])
    const own = await serveSite(await bundlePage('../cors/msw-page.ts'))
    onTestFinished(() => own.close())
    const page = await (await sharedBrowser()).newPage()
    onTestFinished(() => page.close())
    await page.goto(own.url)
    await page.waitForFunction(() => document.title === 'ready')
    expect(await findHidden(await inChromium(page), bases.apps)).toEqual([])
  })

  test.each([
    [undefined, 'hidden'],
    [['http://other.localhost'], 'hidden'],
    [['*'], '200,60'],
    ['own', '200,60'],
  ] as const)('a server with cors: %j, if its origin is of another machine: %s', async (cors, read) => {
    const origin = `http://shop.localhost:${site.port}`
    await using server = await serve(createGreenhouse(cors && { cors: cors === 'own' ? [origin] : cors }))
    const ask = await open(`${origin}/`)
    for (const by of ways.filter((way) => name !== 'jsdom' || way !== 'fetch'))
      expect(await ask({ by, url: `${server.url}/plants`, headers: key }).then(String, () => 'hidden'), by).toBe(read)
  })
})
