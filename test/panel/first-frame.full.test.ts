import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describePanel } from '../support/panel.ts'

/** The content of the frame, with positions. */
const look = (page: Page) =>
  page.locator('.top-bar, .brand, .brand svg, .side-bar, .side-link').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, height } = element.getBoundingClientRect()
      return [
        element.className.toString(),
        element.textContent!.replace(/\s+/g, ''),
        element.getAttribute('href'),
        x,
        y,
        height,
      ]
    }),
  )

describePanel('the frame that the page has before its script', (open) => {
  for (const width of [1280, 390])
    test(`is the one that the script draws, and nothing moves, at ${width} px`, async () => {
      const browser = { viewport: { width, height: 800 } }
      const before = await open('', { browser: { ...browser, javaScriptEnabled: false } })
      const { page } = await open('', { browser })
      await page.locator('main h1').waitFor()
      const first = await look(before.page)
      const drawn = await look(page)
      expect(first).toHaveLength(14)
      // The script fills what is beside the brand, and its bar holds all of that.
      expect(first.slice(1)).toEqual(drawn.slice(1))
      expect(first[0]!.slice(3)).toEqual(drawn[0]!.slice(3))
      expect(await page.locator('.top-bar').count()).toBe(1)
    })
})
