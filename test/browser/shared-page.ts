import type { BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { sharedBrowser } from './chromium.ts'

/** Returns a page for a test. The test fails if the page throws or prints an error. */
export type TakePage = (options?: BrowserContextOptions) => Promise<Page>

export interface SharedPageOptions {
  readonly context?: () => BrowserContextOptions | Promise<BrowserContextOptions>
  readonly onPage?: (page: Page) => Promise<void>
}

const common = {
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'reduce',
} satisfies BrowserContextOptions

/**
 * Returns a function that gives tests a page. A context and its page cost more than most tests, so
 * all tests of this worker share one, reset to its initial state. An option that needs a new
 * context creates one for that test alone.
 */
export function createSharedPage({ context = () => ({}), onPage }: SharedPageOptions): TakePage {
  let shared: Page | undefined

  const make = async (more: BrowserContextOptions) => {
    const browser = await sharedBrowser()
    const made = await browser.newContext({ ...common, ...(await context()), ...more })
    // A busy machine has time, as with Vitest's own limits.
    made.setDefaultTimeout(120_000)
    const page = await made.newPage()
    await onPage?.(page)
    return page
  }

  return async (options = {}) => {
    const { viewport = common.viewport, colorScheme = null, ...ofContext } = options
    const isShared = Object.keys(ofContext).length === 0
    if (isShared && (!shared || shared.isClosed())) shared = await make({})
    const page = isShared ? shared! : await make(options)
    if (isShared) {
      const size = page.viewportSize()
      if (viewport && (viewport.width !== size?.width || viewport.height !== size.height))
        await page.setViewportSize(viewport)
      if (colorScheme !== null) await page.emulateMedia({ colorScheme })
    }
    const errors: string[] = []
    const stopWatching = watchErrors(page, errors)
    // They run from the last to the first.
    onTestFinished(() => expect(errors).toEqual([]))
    onTestFinished(async () => {
      if (isShared) await leave(page)
      else await page.context().close()
      stopWatching()
    })
    return page
  }
}

async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of page.context().pages()) if (other !== page) await other.close()
  await page.emulateMedia({ colorScheme: null })
  await page.evaluate(forgetAll)
}

/** Forgets what the tab keeps, and waits for what is under way. */
async function forgetAll(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve))
  localStorage.clear()
  sessionStorage.clear()
}

/**
 * Goes to a URL as a tab does that was never there: the page is loaded, also where only its hash is
 * another.
 */
export async function load(page: Page, url: string): Promise<void> {
  if (page.url().split('#', 1)[0] !== url.split('#', 1)[0]) {
    await page.goto(url)
    return
  }
  await page.evaluate((place) => {
    history.replaceState(null, '', place)
    // Leftovers of the earlier test may react to the next server, and navigate just before the page
    // reloads.
    history.replaceState = history.pushState = () => {}
  }, url)
  await page.reload()
}

/**
 * Records errors of the page, and violations of its Content-Security-Policy, until stopped. Failed
 * calls are part of the tests.
 */
function watchErrors(page: Page, errors: string[]): () => void {
  const onError = ({ message }: Error) => {
    // A page was left while MSW looked for a newer worker. A worker that is missing makes its start
    // fail, too.
    if (!message.startsWith('Failed to update a ServiceWorker')) errors.push(message)
  }
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text())
  }
  page.on('pageerror', onError).on('console', onMessage)
  return () => void page.off('pageerror', onError).off('console', onMessage)
}
