import { expect } from 'vitest'
import { openPanel, panelTest } from '../support/panel.ts'
import { goTo, listPlaces } from '../panel/page.ts'
import { leaksOf, plant } from './leaks.ts'

panelTest('no view of the panel shows a secret of a request', async () => {
  let known: string[] = []
  const { page } = await openPanel('', {
    before: async (greenhouse) => void (known = await plant(greenhouse)),
  })
  const outs: Record<string, string> = {}
  for (const place of await listPlaces(page)) {
    // Records are shown as they are, here and where one is chosen.
    if (/^#\/data|trigger/.test(place)) continue
    await goTo(page, place)
    outs[place] = await page.content()
  }
  expect(leaksOf(outs, known)).toEqual([])
})
