import { expect, test } from 'vitest'
import { describePanel, findBarriers } from '../support/panel.ts'
import { fillWorld } from './filled-world.ts'
import { soaks } from '../support/soak.ts'
import { goTo, listPlaces } from './places.ts'

describePanel('in every view', (open) => {
  // In full each theme at each width; else each of them once, with half of what opens in the views.
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 390].filter((width) => soaks || (colorScheme === 'light') === (width === 1440)))
      test(`axe finds no barrier and nothing is wider than the screen, ${colorScheme}, at ${width} px`, async () => {
        const { page } = await open('', {
          before: fillWorld,
          browser: { colorScheme, viewport: { width, height: 900 } },
        })
        const places = (await listPlaces(page)).filter(
          (_, index) => soaks || index < 9 || index % 2 === (colorScheme === 'light' ? 0 : 1),
        )
        for (const place of places) {
          await goTo(page, place)
          expect([place, await findBarriers(page)]).toEqual([place, []])
          expect([place, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([place, width])
        }
      })
})
