import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { canRun, sharedBrowser } from './chromium.ts'
import { bundlePage, serveSite, type Site } from './site.ts'

test('a misspelt place to keep a state, or one without cases, is refused', () => {
  expect(() => createGreenhouse({ persist: 'sesion' as 'session' })).toThrow(
    'persist: expected one of "session", "local". Did you mean "session"?',
  )
})

describe.skipIf(!canRun)('a page that keeps its state', () => {
  let site: Site
  const opened: Page[] = []

  beforeAll(async () => {
    site = await serveSite(await bundlePage('persist-page.ts'))
  })

  afterAll(async () => {
    for (const page of opened) await page.context().close()
    site?.close()
  })

  /** Opens tabs of one browser; they print into `warnings`. */
  async function openTabs(kind: 'session' | 'local', count = 1) {
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

  const stateOf = (page: Page) =>
    page.evaluate(() => ({
      plant: world.records.plants.get(1000)?.name,
      fixture: world.records.plants.get(101) !== undefined,
      scenarios: world.scenarios,
      delete: world.assumptions['plants.delete.unknown'],
      frozen: world.clock.frozen,
      now: world.clock.now(),
    }))

  const change = (page: Page) =>
    page.evaluate(() => {
      world.records.plants.create({ id: 1000, name: 'Ficus', account: 'acct_pro' })
      world.records.plants.delete(101)
      world.use('slow:ms=5')
      world.assume('plants.delete.unknown', '204')
      world.clock.set('2031-01-01T00:00:00Z')
      world.clock.freeze()
    })

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

  test('a clock that runs goes on while the page is closed', async () => {
    const { pages } = await openTabs('session')
    const [page] = pages as [Page]
    const advanced = 400 * 86_400_000
    const before = await page.evaluate(() => (world.clock.advance('400d'), world.clock.now()))
    await page.reload()
    const { now } = await stateOf(page)
    expect(now).toBeGreaterThan(before)
    expect(now).toBeLessThan(Date.now() + advanced + 60_000)
  })

  test('tabs agree, and another one begins with what they have', async () => {
    const { pages, open } = await openTabs('local', 2)
    const [one, other] = pages as [Page, Page]
    await change(one)
    await expect.poll(async () => (await stateOf(other)).plant).toBe('Ficus')
    await other.evaluate(() => world.records.plants.update(1000, { name: 'Fern' }))
    await expect.poll(async () => (await stateOf(one)).plant).toBe('Fern')
    for (const page of [one, other, await open()])
      expect(await stateOf(page)).toMatchObject({
        plant: 'Fern',
        fixture: false,
        scenarios: ['slow'],
        frozen: true,
      })
    await one.evaluate(() => end())
    await other.evaluate(() => world.records.plants.delete(1000))
    await expect.poll(async () => (await stateOf(await open())).plant).toBeUndefined()
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
