import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { canRun } from './chromium.ts'
import { change, prepareTabs, stateOf } from './tabs.ts'

test('a misspelt place to keep a state, or one without cases, is refused', () => {
  expect(() => createGreenhouse({ persist: 'sesion' as 'session' })).toThrow(
    'persist: expected one of "session", "local". Did you mean "session"?',
  )
})

describe.skipIf(!canRun)('a page that keeps its state', () => {
  const openTabs = prepareTabs()

  const changed = {
    plant: 'Ficus',
    fixture: false,
    scenarios: ['slow'],
    delete: '204',
    frozen: true,
    now: Date.parse('2031-01-01T00:00:00Z'),
  }

  test('data, clock, scenarios and assumptions survive a reload, and a reset is kept too', async () => {
    const { pages, warnings } = await openTabs('session')
    const [page] = pages as [Page]
    expect((await stateOf(page)).fixture).toBe(true)
    await change(page)
    await page.reload()
    expect(await stateOf(page)).toEqual({ ...changed, now: expect.closeTo(changed.now, -4) })
    await page.evaluate(() => world.reset())
    await page.reload()
    expect(await stateOf(page)).toMatchObject({
      plant: undefined,
      fixture: true,
      scenarios: [],
      frozen: false,
    })
    expect(warnings).toEqual([])
  })

  test('a state that cannot be restored is reported and kept', async () => {
    const { pages, warnings } = await openTabs('local')
    const [page] = pages as [Page]
    await page.evaluate(() => {
      localStorage.clear()
      localStorage.setItem('greenhouse-mock', '{"case": 9, "start": {}}')
    })
    await page.reload()
    expect(await stateOf(page)).toMatchObject({ fixture: true, scenarios: [] })
    expect(warnings).toEqual([
      expect.stringMatching(
        /starts from its fixtures.*"greenhouse-mock\.refused"[^]*case: expected 1/,
      ),
    ])
    expect(await page.evaluate(() => localStorage.getItem('greenhouse-mock.refused'))).toBe(
      '{"case": 9, "start": {}}',
    )
  })
})
