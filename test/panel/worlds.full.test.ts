import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { chooseItem, click, enter, go, goTo, hashOf, press, undo } from './page.ts'
import { openPanel, test } from './world.ts'

const worldMenu = 'Manage worlds'

test('a new world is shown at once, and every part of the page follows', async () => {
  const { page, greenhouse, send } = await openPanel('#/traffic')
  await chooseItem(page, worldMenu, 'New world…')
  await page.getByLabel('Name').fill('checkout')
  await page.getByLabel('Seed').fill('42')
  await enter(page.getByLabel('Clock starts at'), '2030-05-06T07:08:09Z')
  await expect.poll(() => hashOf(page)).toBe('#/traffic?world=checkout')
  expect([greenhouse.world('checkout').seed, greenhouse.hasWorld('checkout')]).toEqual([42, true])
  await expect.poll(() => page.locator('.clock-time').innerText()).toMatch(/^2030-05-06 07:08/)
  await send('/~checkout/plants?limit=1')
  await send('/plants?limit=2')
  await page.locator('.virtual-row', { hasText: '/plants?limit=1' }).waitFor()
  await expect.poll(() => page.locator('.virtual-row').count()).toBe(1)
  await page.getByLabel('World', { exact: true }).selectOption('default')
  await page.locator('.virtual-row', { hasText: 'limit=2' }).waitFor()
  await expect.poll(() => hashOf(page)).toBe('#/traffic')
})

test('a world is reset and deleted after a question, with its undo steps', async () => {
  const { page, greenhouse } = await openPanel('#/scenarios/slow?world=gone', { worlds: ['gone'] })
  const scenarios = () => greenhouse.world('gone').scenarios
  await page.getByRole('switch', { name: 'In use' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await chooseItem(page, worldMenu, 'Reset gone…')
  await click(page, 'Cancel')
  expect(scenarios()).toEqual(['slow'])
  await chooseItem(page, worldMenu, 'Reset gone…')
  await click(page, 'Reset')
  await expect.poll(scenarios).toEqual([])
  await chooseItem(page, worldMenu, 'Delete gone…')
  await press(page.getByRole('dialog'), 'Delete', 'Deleted gone')
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect([greenhouse.hasWorld('gone'), hashOf(page)]).toEqual([false, '#/traffic'])
})

test('another world keeps the list and its filters, and closes the detail', async () => {
  const { page } = await openPanel('', { worlds: ['checkout'] })
  for (const [from, to] of [
    [
      '#/data/plants?new=101&search=zz&where.account=acct_pro',
      '#/data/plants?search=zz&where.account=acct_pro',
    ],
    ['#/data/plants/101?sort=-id&page=2', '#/data/plants?sort=-id'],
    ['#/data?tab=snapshots&page=2', '#/data?tab=snapshots'],
    ['#/traffic/1?status=4xx', '#/traffic?status=4xx'],
  ] as const) {
    await goTo(page, `${from}&world=default`)
    await page.getByLabel('World', { exact: true }).selectOption('checkout')
    await expect.poll(() => hashOf(page)).toBe(`${to}&world=checkout`)
  }
})

test('a wrong name or seed of a world is explained in the form', async () => {
  const { page } = await openPanel()
  await chooseItem(page, worldMenu, 'New world…')
  await page.getByLabel('Name').fill('default')
  const input = page.getByLabel('Name')
  const describe = async () => {
    const ids = (await input.getAttribute('aria-describedby'))!.split(' ')
    return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()))
  }
  await expect.poll(describe).toContain('A world with this name exists already.')
  await enter(input, 'a b')
  await page.getByRole('alert').getByText('1 to 64').waitFor()
  await input.fill('a-b')
  await enter(page.getByLabel('Seed'), 'a lot')
  await page.getByRole('alert').getByText('received "a lot"').waitFor()
})

const look = (page: Page) =>
  page.locator('.top-bar, .brand, .brand svg, .side-bar, .side-bar a').evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, height } = element.getBoundingClientRect()
      const text = element.textContent!.replace(/\s+/g, '')
      return [element.className.toString(), text, element.getAttribute('href'), x, y, height]
    }),
  )

for (const width of [1280, 390])
  test(`the first frame equals the script's, and nothing moves, at ${width} px`, async () => {
    const browser = { viewport: { width, height: 800 } }
    const before = await openPanel('', { browser: { ...browser, javaScriptEnabled: false } })
    const { page } = await openPanel('', { browser })
    await page.locator('main h1').waitFor()
    const first = await look(before.page)
    const drawn = await look(page)
    expect(first).toHaveLength(9)
    // The script fills what is beside the brand, and its bar holds all of that.
    expect(first.slice(1)).toEqual(drawn.slice(1))
    expect(first[0]!.slice(3)).toEqual(drawn[0]!.slice(3))
    await expect.poll(() => page.locator('.top-bar').count()).toBe(1)
  })

const use = async (page: Page) => {
  await page.getByRole('switch', { name: 'In use', checked: false }).click()
  await page.getByText('slow is active').waitFor()
}

const reset = async (page: Page) => {
  await chooseItem(page, worldMenu, 'Reset default…')
  await click(page.getByRole('dialog'), 'Reset')
  await page.getByText('Reset default', { exact: true }).waitFor()
}

test('undo changes the world in which the change was made, whichever is shown by then', async () => {
  const { page, greenhouse, world } = await openPanel('#/scenarios/slow', { worlds: ['other'] })
  await use(page)
  greenhouse.world('other').use('slow')
  await expect.poll(() => page.getByText('in the world default').count()).toBe(0)
  await go(page, '#/traffic?world=other')
  await page.getByText('in the world default').waitFor()
  await undo(page, 'slow is active')
  await expect.poll(() => world.scenarios).toEqual([])
  expect(greenhouse.world('other').scenarios).toEqual(['slow'])
})

test('the key u takes back change after change, also a reset with the snapshots that it deleted', async () => {
  const { page, world } = await openPanel('#/scenarios/slow')
  world.snapshot('mine')
  await use(page)
  await click(page, 'Dismiss')
  await reset(page)
  expect([world.scenarios, world.snapshots]).toEqual([[], []])
  await page.keyboard.press('u')
  await expect.poll(() => [world.scenarios, world.snapshots]).toEqual([['slow'], ['mine']])
  await page.keyboard.press('u')
  await expect.poll(() => world.scenarios).toEqual([])
  await page.keyboard.press('u')
  await page.getByText('There is nothing to undo').waitFor()
})

test('an undo after which something changed says what, and can go back anyway', async () => {
  const { page, send, world } = await openPanel('#/traffic')
  const { plants } = world.records
  world.use('slow', { ms: 3 })
  plants.delete(101)
  const has = () => [101, 7001].map((id) => plants.get(id) !== undefined)
  await reset(page)
  await send('/plants', { method: 'POST', body: '{"id":7001,"name":"Later"}' })
  await expect.poll(has).toEqual([true, true])
  await press(page, 'Undo', 'the record "7001" of "plants" changed since')
  expect([world.scenarios, has()]).toEqual([[], [true, true]])
  await press(page, 'Go back anyway', 'Went back')
  expect([world.scenarios, has()]).toEqual([['slow'], [false, false]])
  await undo(page, 'Went back')
  await expect.poll(has).toEqual([true, true])
})

const expectFocusIn = (page: Page, place: string) =>
  expect
    .poll(() => page.evaluate((at) => document.activeElement!.closest(at) !== null, place))
    .toBe(true)

test('the focus stays near a scenario, a saved form, a record and a message that go', async () => {
  const { page } = await openPanel('#/data/plants/102', {
    greenhouse: { use: ['slow', 'forbidden'] },
  })
  const active = page.getByRole('region', { name: 'Active scenarios' })
  const detail = page.getByRole('complementary')
  await active.getByRole('button', { name: 'Switch off slow' }).press('Enter')
  await page.getByText('Switched off slow').waitFor()
  await expectFocusIn(page, '.active-scenario')
  await active.getByRole('button', { name: 'clear all' }).press('Enter')
  await expectFocusIn(page, '#view')

  await detail.getByLabel('name', { exact: true }).fill('Mine')
  await detail.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('Saved plants 102').waitFor()
  await expectFocusIn(page, '#view')
  await page
    .locator('.toast', { hasText: 'Saved plants 102' })
    .getByRole('button', { name: 'Undo' })
    .press('Enter')
  await expectFocusIn(page, '#view')
  await detail.getByRole('button', { name: 'Close (Esc)' }).press('Enter')
  await expectFocusIn(page, '#view')
  await page.getByRole('cell', { name: '102', exact: true }).click()
  await detail.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('Deleted plants 102').waitFor()
  await expectFocusIn(page, '#view')
})
