import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { sharedBrowser } from './chromium.ts'
import { bundlePage, serveSite, type Site } from './site.ts'

/**
 * Serves a page that keeps its state, until the end of the tests. The function that it returns
 * opens tabs of one browser, which print into `warnings`.
 */
export function prepareTabs() {
  let site: Site
  const opened: Page[] = []

  beforeAll(async () => {
    site = await serveSite(await bundlePage('persist-page.ts'))
  })

  afterAll(async () => {
    for (const page of opened) await page.context().close()
    site?.close()
  })

  return async (kind: 'session' | 'local', count = 1) => {
    const context = await (await sharedBrowser()).newContext()
    const warnings: string[] = []
    const open = async () => {
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
      await page.goto(`${site.url}#${kind}`)
      return page
    }
    const pages = [await open()]
    while (pages.length < count) pages.push(await open())
    opened.push(pages[0]!)
    return { pages, open, warnings }
  }
}

export const stateOf = (page: Page) =>
  page.evaluate(() => ({
    plant: world.records.plants.get(1000)?.name,
    fixture: world.records.plants.get(101) !== undefined,
    scenarios: world.scenarios,
    delete: world.assumptions['plants.delete.unknown'],
    frozen: world.clock.frozen,
    now: world.clock.now(),
  }))

export const change = (page: Page) =>
  page.evaluate(() => {
    world.records.plants.create({ id: 1000, name: 'Ficus', account: 'acct_pro' })
    world.records.plants.delete(101)
    world.use('slow:ms=5')
    world.assume('plants.delete.unknown', '204')
    world.clock.set('2031-01-01T00:00:00Z')
    world.clock.freeze()
  })
