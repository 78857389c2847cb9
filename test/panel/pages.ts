import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Opens further pages of a panel in its browser, and waits until they are live. */
export async function addPages(
  page: Page,
  count: number,
  placeOf: (index: number) => string,
  isLive = true,
): Promise<Page[]> {
  const pages: Page[] = []
  for (let index = 0; index < count; index++) {
    const other = await page.context().newPage()
    onTestFinished(() => other.close())
    await other.goto(new URL(placeOf(index), page.url()).href)
    if (isLive) await other.getByText('live', { exact: true }).waitFor()
    pages.push(other)
  }
  return pages
}

/** Headless Chromium shows all of its pages, so a page is told that it is hidden. */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** The statuses of a call of the app and one of the panel, sent by a page. */
export const answersIn = (page: Page) =>
  page.evaluate(async () => {
    const app = await fetch('/plants?limit=100', { headers: { authorization: 'Bearer key_pro' } })
    const panel = await fetch('/__greenhouse/worlds/default')
    return [app.status, panel.status]
  })

export const shows = (page: Page, text: string) => page.locator('.virtual-row', { hasText: text }).first().waitFor()
