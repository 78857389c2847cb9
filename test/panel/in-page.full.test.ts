import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openInPage } from '../support/in-page.ts'
import { soaks } from '../support/soak.ts'
import { copyAs, press, pressKeys } from './page.ts'
import { findBarriers, test } from './world.ts'

const shows = (page: Page, view: string) => page.locator(`#view[aria-label=${view}] h1`).waitFor()

async function openView(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await shows(page, view)
  await expect.poll(() => page.locator('.view [aria-busy=true]').count()).toBe(0)
}

const hostile = `
* { all: revert !important; font-size: 40px !important; color: red !important; transform: rotate(2deg) !important; display: inline !important; letter-spacing: 9px !important }
html { font-size: 40px; --text: red; --ground: yellow; zoom: 1 }
body { overflow: hidden; transform: translateX(30px) }
button { display: none !important }`

test('the panel leaves URL, history and title of the page alone, and survives a reload', async () => {
  const { page, site } = await openInPage({ mount: { open: true } })
  const length = await page.evaluate(() => history.length)
  await openView(page, 'Data')
  const time = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Time' })
  await time.click({ modifiers: ['Control'] })
  await shows(page, 'Time')
  expect(await page.evaluate(() => [location.href, history.length, document.title])).toEqual([
    site.url,
    length,
    'Shop',
  ])
  expect(page.context().pages()).toHaveLength(1)
  await page.reload()
  await page.waitForFunction(() => globalThis.isReady)
  await page.evaluate(() => void globalThis.mount())
  await shows(page, 'Time')
})

test("inside the drawer the panel's keys work, the page's do not", async () => {
  const { page } = await openInPage()
  await page.evaluate(() => {
    const keys: string[] = []
    Object.assign(globalThis, { keys })
    addEventListener('keydown', (event) => void keys.push(event.key))
  })
  const heard = () =>
    page.evaluate(() => (globalThis as unknown as { keys: string[] }).keys.splice(0))
  await page.locator('#buy').focus()
  await page.keyboard.press('?')
  expect(await heard()).toEqual(['?'])
  await page.getByRole('button', { name: 'Greenhouse' }).click()
  await shows(page, 'Traffic')
  await pressKeys(page, 'g', 'i')
  await shows(page, 'Time')
  expect(await heard()).toEqual([])
  await page.locator('#buy').focus()
  await pressKeys(page, 'g', 't', 'j', '?', '/', 'Escape')
  expect(await heard()).toEqual(['g', 't', 'j', '?', '/', 'Escape'])
  await expect
    .poll(() => page.getByRole('heading', { name: 'Time', level: 1 }).isVisible())
    .toBe(true)
  await expect.poll(() => page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0)
})

test('menus work in the panel, and Escape closes it and gives the focus to its button', async () => {
  const { page } = await openInPage()
  const button = page.getByRole('button', { name: 'Greenhouse' })
  await button.click()
  await shows(page, 'Traffic')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0)
  await expect
    .poll(() => page.getByRole('heading', { name: 'Traffic', level: 1 }).isVisible())
    .toBe(true)
  await page.keyboard.press('Escape')
  await button.waitFor()
  await expect.poll(() => page.getByRole('heading', { name: 'Traffic', level: 1 }).count()).toBe(0)
  expect(
    await page.evaluate(
      () => document.querySelector('greenhouse-panel')!.shadowRoot!.activeElement?.className,
    ),
  ).toBe('launcher')
  await page.keyboard.press('Enter')
  await shows(page, 'Traffic')
  await openView(page, 'Scenarios')
  await page.keyboard.press('Escape')
  await button.waitFor()
  await page.keyboard.press('Enter')
  await shows(page, 'Scenarios')
  await page.getByRole('button', { name: 'Manage worlds' }).click()
  await page.getByRole('menuitem', { name: 'New world…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('checkout')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Created the world checkout').waitFor()
  await page.getByRole('button', { name: 'Close the panel' }).click()
  await button.waitFor()
})

test('no style of the page reaches the panel, and its styles reach nothing of the page', async () => {
  const { page } = await openInPage({ mount: false, styles: hostile })
  const look = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('html, body, main, h1, input, button')].map((element) => {
        const { color, font, display, backgroundColor } = getComputedStyle(element)
        return [element.tagName, color, font, display, backgroundColor]
      }),
    )
  const before = await look()
  await page.evaluate(() => void globalThis.mount({ open: true }))
  await shows(page, 'Traffic')
  expect(await look()).toEqual(before)
  const shown = await page.evaluate(() => {
    const root = document.querySelector('greenhouse-panel')!.shadowRoot!
    const view = getComputedStyle(root.querySelector('#view')!)
    const { left, right, bottom } = root.querySelector('.drawer')!.getBoundingClientRect()
    return [
      view.color,
      view.fontSize,
      view.letterSpacing,
      view.backgroundColor,
      view.transform,
      left,
      right,
      bottom,
    ]
  })
  expect(shown).toEqual([
    'rgb(26, 33, 30)',
    '13px',
    'normal',
    'rgba(0, 0, 0, 0)',
    'none',
    0,
    1280,
    800,
  ])
})

test('one of several panels is open', async () => {
  const { page } = await openInPage({ mount: false })
  await page.evaluate(() => {
    globalThis.greenhouse.world('checkout').use('slow')
    globalThis.mount({ world: 'checkout' })
    Object.assign(globalThis, { second: globalThis.mount({ position: 'right' }) })
  })
  await page.getByRole('button', { name: 'Greenhouse: checkout' }).click()
  const first = page.getByRole('region', { name: 'Greenhouse: checkout', exact: true })
  await first.getByRole('region', { name: 'Active scenarios' }).getByText('slow').waitFor()
  await page.evaluate(() => (globalThis as unknown as { second: { open(): void } }).second.open())
  const second = page.getByRole('region', { name: 'Greenhouse', exact: true })
  await second.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor()
  await expect.poll(() => first.count()).toBe(0)
  await pressKeys(page, 'g', 'i')
  await shows(page, 'Time')
  await page.evaluate(() =>
    (globalThis as unknown as { second: { unmount(): void } }).second.unmount(),
  )
  await expect.poll(() => page.locator('greenhouse-panel').count()).toBe(1)
})

test('the panel does not take the focus of a page that begins, and is gone once it is unmounted', async () => {
  const { page } = await openInPage({ mount: false })
  await page.locator('#search').focus()
  const mounted = await page.evaluateHandle(() => globalThis.mount({ open: true }))
  await shows(page, 'Traffic')
  expect(await page.evaluate(() => document.activeElement!.id)).toBe('search')
  const sheets = () =>
    page
      .locator('greenhouse-panel')
      .evaluate(({ shadowRoot }) => shadowRoot!.adoptedStyleSheets.length)
  expect(await sheets()).toBe(2)
  await mounted.evaluate((panel) => panel.close())
  expect(await sheets()).toBe(1)
  expect(
    await page.locator('greenhouse-panel #panel').evaluate((panel) => panel.childElementCount),
  ).toBe(0)
  expect(await page.evaluate(() => document.activeElement!.id)).toBe('search')
  await mounted.evaluate((panel) => (panel.unmount(), panel.open(), panel.close(), panel.unmount()))
  await expect.poll(() => page.locator('greenhouse-panel').count()).toBe(0)
})

test('the panel says so where its chunks can not be loaded', async () => {
  const { page } = await openInPage({ without: /^\/drawer-.*\.js$/ })
  await page.getByRole('button', { name: 'Greenhouse' }).click()
  await page.getByRole('alert').getByText('The panel could not be loaded').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Greenhouse' }).isVisible()).toBe(true)
})

test('a browser without popovers shows the panel, too', async () => {
  const { page } = await openInPage({ mount: false })
  await page.evaluate(() => {
    for (const name of ['popover', 'showPopover', 'hidePopover'])
      delete (HTMLElement.prototype as unknown as Record<string, unknown>)[name]
    globalThis.mount({ open: true })
  })
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
})

test('the keyboard and dragging change the size of the panel', async () => {
  const { page } = await openInPage({ mount: { open: true } })
  const height = () =>
    page.locator('.drawer').evaluate((drawer) => (drawer as HTMLElement).offsetHeight)
  const before = await height()
  await page.getByRole('separator', { name: 'Size of the panel' }).focus()
  await page.keyboard.press('ArrowUp')
  expect(await height()).toBe(before + 32)
  await page.mouse.move(600, 800 - (await height()) + 3)
  await page.mouse.down()
  await page.mouse.move(600, 500)
  await page.mouse.up()
  expect(await height()).toBe(300)
})

test('the panel in a page opens from its button, and shows requests of the page as they come', async () => {
  const { page, left } = await openInPage()
  await page.getByRole('button', { name: 'Greenhouse' }).click()
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Traffic' })
    .click()
  await page.getByText('No requests yet').waitFor()
  expect(await page.evaluate(() => globalThis.ask('http://plants.test/plants?limit=3'))).toBe(200)
  await page.locator('.virtual-row', { hasText: 'plants.list' }).waitFor()
  await page.evaluate(() => globalThis.ask('http://apps.test/v1/appz'))
  await page.locator('.virtual-row', { hasText: 'appz' }).click()
  await page.locator('.split-detail').getByText('404').first().waitFor()
  expect(await copyAs(page, 'curl')).toMatch(/^curl 'http:\/\/apps\.test\/v1\/appz' /)
  expect(left).toEqual([])
})

test('the panel in a page sends through the fetch of the page, and both change the same world', async () => {
  const { page, left } = await openInPage({ mount: { open: true } })
  const active = page.getByRole('region', { name: 'Active scenarios' })
  await page.getByText('live', { exact: true }).waitFor()
  await page.getByText('http://plants.test', { exact: true }).first().waitFor()
  await page.getByText('http://apps.test/v1', { exact: true }).first().waitFor()
  await press(page, 'Send GET /v1/apps', 'GET /v1/apps was answered with 200')
  expect(await page.evaluate(() => globalThis.greenhouse.world().journal.calls().length)).toBe(1)

  await page.evaluate(() => void globalThis.greenhouse.world().use('server-error'))
  await active.getByText('server-error').waitFor()
  expect(await ask(page, 'apps.test/v1/apps')).toBe(500)
  await page.getByRole('button', { name: 'clear all' }).click()
  await expect.poll(() => ask(page, 'apps.test/v1/apps')).toBe(200)
  await page.evaluate(() => void globalThis.greenhouse.world().use('slow', { ms: 8 }))
  await active.getByText('ms=8').waitFor()
  await openView(page, 'Scenarios')
  await page.getByRole('link', { name: 'Connection reset', exact: true }).click()
  await page.getByRole('button', { name: 'Switch on', exact: true }).click()
  await page.getByRole('alert').getByText(/MSW/).waitFor()
  expect(left).toEqual([])
})

const ask = (page: Page, path: string, init?: RequestInit & { key?: string }) =>
  page.evaluate(([url, given]) => globalThis.ask(url!, given as RequestInit), [
    `http://${path}`,
    init,
  ] as const)

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['bottom', 'right'] as const).flatMap((position) =>
    (position === 'bottom' ? [1280, 390] : [1280]).map((width) => ({
      colorScheme,
      position,
      width,
    })),
  ),
)

// In full each theme at each position; else each position once.
test.each(
  looks.filter((look) => soaks || (look.colorScheme === 'dark') === (look.position === 'right')),
)(
  'all views are there in a page, and axe finds no barrier in any: %o',
  async ({ colorScheme, position, width }) => {
    const browser = { colorScheme, viewport: { width, height: 800 } }
    const { page, left } = await openInPage({ mount: { position }, browser })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Greenhouse' }).click()
    await ask(page, 'plants.test/plants')
    for (const view of ['Traffic', 'Scenarios', 'Data', 'Webhooks', 'Time']) {
      await openView(page, view)
      expect([view, await page.getByRole('alert').allInnerTexts()]).toEqual([view, []])
      expect([view, await findBarriers(page)]).toEqual([view, []])
    }
    expect(left).toEqual([])
  },
)

test('an event is triggered in a page, and its delivery leaves for the endpoint', async () => {
  const { page, left } = await openInPage({ mount: false })
  await page.evaluate(async () => {
    await globalThis.greenhouse.world().records.webhooks.update('wh_bcjl342gumzojejh', {
      url: 'https://api.example.com/hook',
      events: ['app.created'],
      enabled: true,
    })
    globalThis.mount({ open: true })
  })
  await openView(page, 'Webhooks')
  const triggers = page.getByRole('button', { name: /Trigger/ })
  await triggers.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Event').selectOption('app.created')
  await dialog.getByRole('button', { name: 'Trigger', exact: true }).click()
  await page.getByRole('complementary', { name: /^Delivery del_/ }).waitFor()
  expect(left).toEqual([])
})

test('the editor of a new scenario in a page reads YAML, and what it writes is tried there', async () => {
  const { page } = await openInPage({ mount: { open: true } })
  await page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('link', { name: 'Scenarios' })
    .click()
  await page.getByText('New scenario', { exact: true }).first().click()
  const editor = page.getByLabel('YAML')
  await page.getByText('No mistakes.').waitFor()
  await editor.fill('title: Lite is down\ndescription: D\ncovers: C\nrespond:\n  - status: 5O3\n')
  await page.getByText(/^Line 5, /).waitFor()
  await editor.fill('title: Lite is down\ndescription: D\ncovers: C\nrespond:\n  - status: 503\n')
  await page.getByText('No mistakes.').waitFor()
  await page.getByRole('button', { name: 'Try' }).click()
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('Lite is down').waitFor()
})

test('a loader of stories gives each story a new world, which the panel shows', async () => {
  const { page } = await openInPage({ mount: false, entry: 'story-page.ts' })
  const show = (id: string, ...greenhouse: string[]) =>
    page.evaluate((story) => globalThis.showStory(story as never), {
      id,
      parameters: { greenhouse },
    })
  expect(await show('apps--failing', 'server-error')).toBe(500)
  await page.getByRole('button', { name: 'Greenhouse: apps--failing' }).click()
  await page.getByRole('region', { name: 'Active scenarios' }).getByText('server-error').waitFor()
  expect(await show('apps--filled')).toBe(200)
  await page.getByRole('button', { name: 'Greenhouse: apps--filled' }).waitFor()
  await expect.poll(() => page.locator('greenhouse-panel').count()).toBe(1)
  expect(await show('apps--failing')).toBe(200)
  await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Active scenarios' }).count()).toBe(0)
})
