import { expect, test } from 'vitest'
import { describePanel, findBarriers } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'
import { places } from './places.ts'

describePanel('axe finds no barrier', (open) => {
  for (const place of places)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390])
        test(`in ${place}, ${colorScheme}, ${width} px wide`, async () => {
          const { page } = await open(place, {
            before: fillWorld,
            browser: { colorScheme, viewport: { width, height: 900 } },
          })
          await page.locator('main h1').waitFor()
          await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
          expect(await findBarriers(page)).toEqual([])
        })
})
