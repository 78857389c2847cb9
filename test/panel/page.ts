import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Clicks the buttons of these whole names, one after the other. */
export async function click(
  within: Page | Locator,
  ...names: readonly (string | RegExp)[]
): Promise<void> {
  for (const name of names) await within.getByRole('button', { name, exact: true }).click()
}

export async function chooseItem(
  within: Page | Locator,
  menu: string,
  item: string,
): Promise<void> {
  await click(within, menu)
  await pageOf(within).getByRole('menuitem', { name: item }).click()
}

export async function press(within: Page | Locator, name: string, text: string): Promise<void> {
  await within.getByRole('button', { name }).click()
  await expectTexts(pageOf(within), text)
}

export async function expectTexts(
  within: Page | Locator,
  ...texts: readonly string[]
): Promise<void> {
  for (const text of texts) await within.getByText(text).waitFor()
}

/** Types a text into an input, and presses Enter there. */
export async function enter(input: Locator, text: string): Promise<void> {
  await input.fill(text)
  await input.press('Enter')
}

export async function pressKeys(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Undo in the message that says a text. */
export const undo = (page: Page, said: string) =>
  click(page.locator('.toast', { hasText: said }), 'Undo')

const pageOf = (within: Page | Locator) => ('page' in within ? within.page() : within)

/**
 * Copies the open request in a form, such as `curl`, and returns what the clipboard has once the
 * panel says a text.
 */
export async function copyAs(
  page: Page,
  form: string,
  text = `Copied the request as ${form}`,
): Promise<string> {
  await chooseItem(page, 'Copy as', `Copy as ${form}`)
  await page.getByText(text).waitFor()
  return clipboardOf(page)
}

export const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

export const go = (page: Page, hash: string) =>
  page.evaluate((place) => void (location.hash = place), hash)

/** The address within the panel, without the world where it is `default`. */
export const hashOf = (page: Page) => new URL(page.url()).hash.replace(/[?&]world=default$/, '')

export const requestsOf = (page: Page) =>
  page.getByRole('listbox', { name: 'Requests' }).getByRole('option')

export async function download(
  page: Page,
  work: () => Promise<unknown>,
): Promise<{ file: string; text: string }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), work()])
  return { file: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') }
}

const details = [
  '#/traffic/1',
  '#/traffic/1?face=request',
  '#/traffic/2?face=decisions',
  '#/scenarios/rate-limited-plan?how=code',
  '#/scenarios?new=*',
  '#/scenarios?tab=assumptions&assumption=plants.list.order&search=plants.list',
  '#/data/plants/9007199254740993',
  '#/data/messages?where.role=user&sort=-created_at&page=2',
  '#/data/webhooks?new=',
  '#/data/keys?new=',
  '#/data/plants?search=nothing-like-it',
  '#/data?tab=snapshots',
  '#/data/accounts/acct_pro',
  '#/webhooks?trigger=app.created',
  '#/webhooks/deliveries/del_lrtulzjiz4ruujdv',
  '#/webhooks/endpoints/wh_bcjl342gumzojejh',
  '#/traffic?tab=connect',
  '#/traffic?tab=report',
  '#/traffic?compose=apps.create',
]

export async function listPlaces(page: Page): Promise<string[]> {
  const views = page.locator('.side-bar a')
  await views.first().waitFor()
  // The controls of the clock appear when the clock is known.
  await page.locator('.clock-time').first().waitFor({ state: 'attached' })
  return [
    ...(await views.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash))),
    ...details,
  ]
}

export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(
    (hash) =>
      new Promise<void>((resolve) => {
        if (location.hash === hash) return resolve()
        // The panel listens for it too, and draws before the task after it.
        addEventListener('hashchange', () => setTimeout(resolve), { once: true })
        location.hash = hash
      }),
    place,
  )
  await page.locator('main h1').waitFor()
  await page.waitForFunction(() => document.querySelector('main [aria-busy]') === null)
}

/** The statuses of a call of the app and one of the panel, sent by a page. */
export const answersIn = (page: Page) =>
  page.evaluate(async () => {
    const app = await fetch('/plants?limit=100', { headers: { authorization: 'Bearer key_pro' } })
    const panel = await fetch('/__greenhouse/worlds/default')
    return [app.status, panel.status]
  })

export const shows = (page: Page, text: string) =>
  page.locator('.virtual-row', { hasText: text }).first().waitFor()

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

export const countOf = (page: Page) => page.locator('.view-count')

export async function copied(page: Page, what: string): Promise<string> {
  await click(page, `Copy ${what}`)
  await page.getByRole('button', { name: `Copied ${what}`, exact: true }).waitFor()
  return clipboardOf(page)
}

export async function openFile(page: Page, name: string, text: string) {
  await page.getByRole('button', { name: 'Open, save or clear the traffic' }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('menuitem', { name: 'Open a case or HAR…' }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

/** The form of the composer. Its inputs have a word after their names where they may be empty. */
export function composerOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Compose a request' })
  const input = (name: string) => dialog.getByLabel(new RegExp(`^${name}( optional)?$`))
  return { dialog, input, send: () => click(dialog, 'Send') }
}

export const entryOf = (page: Page, id: number) =>
  page.getByRole('complementary', { name: `Request ${id}` })

export const cells = (page: Page, column = 1) =>
  page.locator(`tbody td:nth-child(${column})`).allTextContents()

export const detailInput = (page: Page, name: string) =>
  page.getByRole('complementary').getByLabel(name, { exact: true })
