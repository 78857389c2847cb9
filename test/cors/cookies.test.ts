import { setupServer } from 'msw/node'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { createHandlers } from 'greenhouse-mock/msw'
import { serve } from 'greenhouse-mock/server'
import { createTest } from 'greenhouse-mock/vitest'
import { canRun, sharedBrowser } from '../browser/chromium.ts'
import { bundlePage, serveSite } from '../browser/site.ts'
import { serveStranger } from '../browser/strangers.ts'
import { soaks } from '../support/soak.ts'
import { findHidden, inChromium, inHappyDom, inJsdom, type Ask } from './pages.ts'

const server = setupServer(...createHandlers(createGreenhouse(), { apps: 'http://apps.test/v1' }))
const served = createTest()
const answered = createTest({ apps: 'http://own.test/v1', server })

let site: Awaited<ReturnType<typeof serveStranger>>
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'bypass' })
  site = await serveStranger()
})
afterAll(async () => {
  server.close()
  await tab?.close()
  site.close()
})

/** A tab costs more than a test in it, so that the tests share one. */
let tab: Page | undefined

async function visit(url: string): Promise<Ask> {
  tab ??= await (await sharedBrowser()).newPage()
  await tab.goto(url)
  await tab.waitForFunction(() => document.title !== 'starting')
  return inChromium(tab)
}

const hosts: [host: string, cors: string[] | undefined, mayRead: boolean][] = [
  ['localhost', undefined, true],
  ['shop.localhost', undefined, false],
  ['shop.localhost', ['http://other.localhost'], false],
  ['shop.localhost', ['*'], true],
  ['shop.localhost', ['http://shop.localhost'], true],
]

const pages = { ...(canRun && { Chromium: visit }), jsdom: inJsdom, 'happy-dom': inHappyDom }

describe.each(Object.entries(pages))(
  'a page with cookies in %s reads every reply of',
  (name, open) => {
    test.each(name === 'Chromium' || soaks ? hosts : hosts.slice(0, 2))(
      'a server, if its host is %s and cors %j: %s',
      async (host, cors = [], mayRead) => {
        const origin = `http://${host}:${site.port}`
        const allowed = cors.map((one) => one.replace('http://shop.localhost', origin))
        await using running = await serve(createGreenhouse({ cors: allowed }))
        const hidden = await findHidden(await open(`${origin}/`), `${running.url}/v1`)
        if (mayRead) expect(hidden).toEqual([])
        // The fetch of Node reads everything.
        else expect(hidden).toHaveLength(name === 'jsdom' ? 12 : 18)
      },
    )

    served("Vitest's fixture", async ({ api }) => {
      expect(await findHidden(await open(`http://localhost:${site.port}/`), api.appsUrl)).toEqual(
        [],
      )
    })

    answered.skipIf(name === 'Chromium')("Vitest's fixture with base URLs", async ({ api }) => {
      expect(await findHidden(await open('http://localhost:3000/'), api.appsUrl)).toEqual([])
    })

    test('MSW', async () => {
      const own =
        name === 'Chromium' ? await serveSite(await bundlePage('../cors/msw-page.ts')) : undefined
      onTestFinished(() => own?.close())
      expect(
        await findHidden(await open(own?.url ?? 'http://localhost:3000/'), 'http://apps.test/v1'),
      ).toEqual([])
    })
  },
)
