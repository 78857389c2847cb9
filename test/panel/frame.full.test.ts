import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { go, goTo } from './page.ts'
import { findBarriers, openPanel, test } from './world.ts'

test('a key is expired in three clicks from a request, and a time is typed in words', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  // Early, so that the page knows it when it reckons from now.
  world.clock.freeze()
  await send('/plants')
  await page.locator('.virtual-row').click()
  await page.locator('.detail-facts').getByRole('link', { name: 'key_pro' }).click()
  await page.getByRole('button', { name: 'Expire now' }).click()
  await expect.poll(async () => (await send('/plants')).status).toBe(401)
  await page.getByLabel('expires_at').fill('in 2d')
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() => world.records.keys.get('key_pro')?.expires_at)
    .toBe(new Date(world.clock.now() + 2 * 86_400_000).toISOString())
  expect((await send('/plants')).status).toBe(200)
})

test('the detail of the first scenario is at most 12 Tabs away', async () => {
  const { page } = await openPanel('#/scenarios')
  await page.locator('.scenario').first().waitFor()
  const isOnCard = () => page.evaluate(() => document.activeElement!.matches('.scenario-open'))
  let tabs = 0
  for (; tabs < 30 && !(await isOnCard()); tabs++) {
    await page.keyboard.press('Tab')
    // The second one skips to the list.
    if (tabs === 1) await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').waitFor()
  expect(tabs).toBeLessThanOrEqual(12)
})

test('the name of the view is in sight on a phone, and a cell leaves room for others', async () => {
  const { page } = await openPanel('#/time', { browser: { viewport: { width: 280, height: 700 } } })
  const link = page.locator('.side-bar [aria-current]')
  await link.waitFor()
  const edges = () => link.evaluate((one) => one.getBoundingClientRect().toJSON() as DOMRect)
  await expect.poll(async () => (await edges()).right).toBeLessThanOrEqual(281)
  expect((await edges()).left).toBeGreaterThanOrEqual(-1)
  await go(page, '#/data/plants')
  const widest = () =>
    page.locator('.data-cell').evaluateAll((all) => Math.max(...all.map((one) => one.clientWidth)))
  await expect.poll(widest).toBe(144)
})

test('in forced colours the open view and the chosen tab have other shapes', async () => {
  const { page } = await openPanel('#/scenarios', { browser: { forcedColors: 'active' } })
  const looks = (element: Locator) =>
    element.evaluate((one) => {
      const { textDecorationLine, outlineStyle } = getComputedStyle(one)
      return [textDecorationLine, outlineStyle].join()
    })
  const links = [page.locator('.view-head .tab'), page.locator('.side-bar a')]
  for (const [shown, other] of links.map(
    (all) => [all.and(page.locator('[aria-current]')), all.last()] as const,
  ))
    expect(await looks(shown)).not.toBe(await looks(other))
})

test("in front of a real service the panel names the mock's own data", async () => {
  const { page } = await openPanel('#/traffic?tab=connect', {
    greenhouse: { proxy: { plants: 'http://127.0.0.1:9', apps: 'http://127.0.0.1:9/v1' } },
  })
  await page.getByText('The service has keys of its own').waitFor()
  await expect.poll(() => page.locator('main').innerText()).not.toContain('key_pro')
  await goTo(page, '#/data/plants')
  await page.getByText(/records of the mock.*forwarded to http:\/\/127\.0\.0\.1:9 and/).waitFor()
  await goTo(page, '#/scenarios?search=empty-store')
  const why = 'Rejected here: its effect "records" needs the state of the mock'
  await expect.poll(() => page.locator('.scenario').first().innerText()).toContain(why)
  const rejected = page.getByRole('switch', { name: 'empty-store', disabled: true })
  await rejected.waitFor()
  await expect.poll(() => page.getByRole('switch', { disabled: false }).count()).toBe(0)
  await goTo(page, '#/scenarios/empty-store')
  await page.getByRole('complementary').getByText(why).waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('the focus is where it was as soon as the list of keys is gone', async () => {
  const { page } = await openPanel('#/traffic')
  const link = page.locator('.top-bar').getByRole('link', { name: 'Connect' })
  await link.focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  const watch = await page.evaluateHandle(() => {
    const gone = new Promise<string | null>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('dialog')) return
        observer.disconnect()
        resolve(document.activeElement!.textContent)
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    return { gone }
  })
  await page.keyboard.press('Escape')
  expect(await watch.evaluate(({ gone }) => gone)).toBe('Connect')
})

test('the page keeps its theme when it is loaded again', async () => {
  const { page } = await openPanel('#/time')
  const theme = () => page.evaluate(() => document.documentElement.style.colorScheme)
  await page.getByRole('button', { name: /switch to light/ }).click()
  await expect.poll(theme).toBe('light')
  await page.reload()
  await expect.poll(theme).toBe('light')
})
