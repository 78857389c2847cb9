import type { Page } from 'playwright-core'

/** Holds back every answer of the paths that a glob matches, until what it returns is called. */
export async function holdAnswers(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(path, async (route) => {
    await released
    await route.continue()
  })
  return release
}
