import { createServer } from 'node:http'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { MountOptions } from 'greenhouse-mock/panel'
import { createSharedPage, load } from '../browser/shared-page.ts'
import { bundlePage, serveSite, type PageOptions, type Site } from '../browser/site.ts'
import { listen } from './listen.ts'

export interface InPage {
  readonly page: Page
  readonly site: Site
  /** The requests that left the browser, for hosts that are not the page's own. */
  readonly left: readonly string[]
}

export interface InPageOptions extends PageOptions {
  /** The options of the panel; `false` mounts none. */
  readonly mount?: MountOptions | false
  readonly browser?: BrowserContextOptions
  readonly entry?: string
}

/** The policy of an application's page: nothing inline, and its API. */
const strict =
  "default-src 'self'; img-src data:; connect-src 'self' http://plants.test http://apps.test https://api.example.com"

/** A page as others write it, with a form and keys of its own. */
const shop = `<title>Shop</title><main><h1>Shop</h1><label>Search <input id="search"></label><button id="buy">Buy</button></main>`

export async function openInPage(options: InPageOptions = {}): Promise<InPage> {
  const { mount = {}, browser, entry = 'panel-page.ts', ...pageOptions } = options
  const site = await siteOf(entry, pageOptions)
  const page = await takePage(browser)
  left.length = 0
  await load(page, site.url)
  await page.waitForFunction(() => globalThis.isReady)
  if (mount !== false) await page.evaluate((given) => void globalThis.mount(given), mount)
  return { page, site, left }
}

const left: string[] = []

const takePage = createSharedPage({
  // All that is not the page's own goes to a proxy, which notes it.
  context: async () => {
    const outside = createServer((request, response) => {
      left.push(`${request.method} ${request.url!.replace(/^http:\/\//, '')}`)
      response.writeHead(418).end()
    })
    const { url } = await listen(outside)
    outside.unref()
    return { proxy: { server: url, bypass: '127.0.0.1' } }
  },
})

const bundles = new Map<string, ReturnType<typeof bundlePage>>()
const sites = new Map<string, Promise<Site>>()

/**
 * The site of a page: the one that all tests of this worker share, unless this test wants another.
 */
async function siteOf(entry: string, options: PageOptions): Promise<Site> {
  const serveIt = async () => serveSite(await chunks, { body: shop, policy: strict, ...options })
  const chunks = bundles.get(entry) ?? bundlePage(entry)
  bundles.set(entry, chunks)
  if (Object.keys(options).length > 0) {
    const own = await serveIt()
    onTestFinished(() => own.close())
    return own
  }
  const site = sites.get(entry) ?? serveIt()
  sites.set(entry, site)
  ;(await site).asked.length = 0
  return site
}
