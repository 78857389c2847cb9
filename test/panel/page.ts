import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { createGreenhouse, type Greenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import type { OpenPanel } from '../support/panel.ts'

/** Presses the button of this name in a part of the page, then waits for a text. */
export async function press(within: Page | Locator, name: string, text: string): Promise<void> {
  await within.getByRole('button', { name }).click()
  await expectTexts(pageOf(within), text)
}

/** Waits until a part of the page has each of these texts. */
export async function expectTexts(within: Page | Locator, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await within.getByText(text).waitFor()
}

const pageOf = (within: Page | Locator) => ('page' in within ? within.page() : within)

/** Opens the palette, and types words into it. */
export async function findAction(page: Page, words: string): Promise<Locator> {
  // Keys work only after the panel is drawn.
  await page.locator('main h1').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find an action' }).fill(words)
  return page.getByRole('dialog', { name: 'Actions' }).getByRole('option')
}

/** Does the first action of this title that the palette finds. */
export async function choose(page: Page, title: string): Promise<void> {
  await (await findAction(page, title)).filter({ hasText: title }).first().waitFor()
  await page.keyboard.press('Enter')
}

/** Copies the open request in a form, such as `curl`, and returns what the clipboard has once the panel says a text. */
export async function copyAs(page: Page, form: string, text = `Copied the request as ${form}`): Promise<string> {
  await page.getByRole('button', { name: 'Copy as' }).click()
  await page.getByRole('menuitem', { name: `Copy as ${form}` }).click()
  await page.getByText(text).waitFor()
  return clipboardOf(page)
}

export const clipboardOf = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Changes the place as a link does, such as `#/traffic/1`. */
export const go = (page: Page, hash: string) => page.evaluate((place) => void (location.hash = place), hash)

/** The place that the page shows. */
export const hashOf = (page: Page) => new URL(page.url()).hash

/** The lines of the traffic, the newest first. */
export const requestsOf = (page: Page) => page.getByRole('listbox', { name: 'Requests' }).getByRole('option')

/** Holds back every answer of the paths that a glob matches in a page that opens, until they are released. */
export function holdAnswers(path: string): { hold(page: Page): Promise<unknown>; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const hold = (page: Page) =>
    page.route(path, async (route) => {
      await released
      // The page may have dropped it by then.
      await route.continue().catch(() => undefined)
    })
  return { hold, release }
}

/** Does something that downloads a file, and returns its name and text. */
export async function download(page: Page, work: () => Promise<unknown>): Promise<{ file: string; text: string }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), work()])
  return { file: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') }
}

/** Stops the server of a panel, and waits until the panel says so. */
export async function stopServer({ page, server }: OpenPanel): Promise<void> {
  await server.close()
  await page.getByText('offline').waitFor()
}

/** Serves a Greenhouse, a new one unless named, where a panel's server was. */
export async function serveAgain({ server: { port } }: OpenPanel, greenhouse: Greenhouse = createGreenhouse()) {
  const server = await serve(greenhouse, { port })
  onTestFinished(() => server.close())
  const send = (path: string) => fetch(server.url + path, { headers: { authorization: 'Bearer key_pro' } })
  return { send }
}
