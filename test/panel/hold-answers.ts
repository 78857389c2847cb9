import type { Page } from 'playwright-core'

/** Holds back every answer of the paths that a glob matches in a page that opens, until they are released. */
export function holdAnswers(path: string): { hold(page: Page): Promise<unknown>; release(): void } {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  return {
    hold: (page) =>
      page.route(path, async (route) => {
        await released
        // The page may have dropped it by then.
        await route.continue().catch(() => undefined)
      }),
    release,
  }
}
