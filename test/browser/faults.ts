import type { Observed } from '../parity/observe.ts'
import type { Situation } from '../parity/situations.ts'
import { start } from '../support/test-api.ts'
import { bundlePage } from './bundle.ts'
import { sharedBrowser } from './chromium.ts'
import { serveSite } from './site.ts'

/** Observes each situation through a page's service worker. */
export async function observeInBrowser(situations: readonly Situation[]): Promise<Observed[]> {
  const site = await serveSite(await bundlePage('faults-page.ts'))
  const page = await (await sharedBrowser()).newPage()
  try {
    await page.goto(site.url, { waitUntil: 'load' })
    return await page.evaluate(([situations, start]) => globalThis.observeInPage(situations, start), [
      situations,
      start,
    ] as const)
  } finally {
    await page.close()
    site.close()
  }
}
