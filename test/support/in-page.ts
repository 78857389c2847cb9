import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import type { MountOptions } from 'greenhouse-mock/panel'
import { bundlePage } from '../browser/bundle.ts'
import { canRun, launch } from '../browser/chromium.ts'
import { serveSite, type PageOptions, type Site } from '../browser/site.ts'
import { watchErrors } from './panel.ts'

/** A page with MSW, its Greenhouse and the panel in it. */
export interface InPage {
  readonly page: Page
  readonly site: Site
  /** The requests that left the browser, for hosts that are not the page's own. */
  readonly left: readonly string[]
}

export interface InPageOptions extends PageOptions {
  /** How the panel is mounted; `false` mounts none. */
  readonly mount?: MountOptions | false
  readonly browser?: BrowserContextOptions
}

/** What a page of an application may do: nothing inline, and its API. */
const strict =
  "default-src 'self'; img-src data:; connect-src 'self' http://plants.test http://apps.test https://api.example.com"

/** A page as others write it, with a form and keys of its own. */
const shop = `<title>Shop</title><main><h1>Shop</h1><label>Search <input id="search"></label><button id="buy">Buy</button></main>`

/** Tests of the panel in a page of someone else, which a machine without Chromium skips. */
export function describeInPage(
  title: string,
  define: (open: (options?: InPageOptions) => Promise<InPage>) => void,
  entry = 'panel-page.ts',
): void {
  describe.skipIf(!canRun)(title, () => {
    let browser: Browser
    const left: string[] = []
    const outside = createServer((request, response) => {
      left.push(`${request.method} ${request.headers.host}${request.url}`)
      response.writeHead(418).end()
    })
    let chunks: Awaited<ReturnType<typeof bundlePage>>

    beforeAll(async () => {
      chunks = await bundlePage(entry)
      await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
      const { port } = outside.address() as AddressInfo
      browser = await launch([`--host-resolver-rules=MAP *.test:80 127.0.0.1:${port}`])
    })
    afterAll(async () => {
      await browser?.close()
      outside.close()
    })

    define(async ({ mount = {}, browser: contextOptions, ...pageOptions } = {}) => {
      left.length = 0
      const site = await serveSite(chunks, { body: shop, policy: strict, ...pageOptions })
      onTestFinished(() => site.close())
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
        ...contextOptions,
      })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      const errors = watchErrors(page)
      onTestFinished(() => expect(errors).toEqual([]))
      await page.goto(site.url)
      await page.waitForFunction(() => globalThis.isReady)
      if (mount !== false) await page.evaluate((options) => void globalThis.mount(options), mount)
      return { page, site, left }
    })
  })
}
