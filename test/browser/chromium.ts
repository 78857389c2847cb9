import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/**
 * Where each system has it: a program of another system, which a tool may show here, does not
 * start.
 */
const places: Partial<Record<NodeJS.Platform, string>> = {
  darwin: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  win32: `${process.env['ProgramFiles']}/Google/Chrome/Application/chrome.exe`,
}

export const executable =
  process.env['CHROMIUM'] || (places[process.platform] ?? '/usr/bin/chromium')

/**
 * Whether tests in a browser can run. Where CI is set they have to, so that they cannot go missing
 * unseen.
 */
export const canRun = existsSync(executable) || Boolean(process.env['CI'])

let shared: Promise<Browser> | undefined

/**
 * The Chromium that all tests of this worker share: starting one takes as long as a short test. A
 * test takes a context of its own and closes that. The browser ends with the worker's process.
 */
export function sharedBrowser(): Promise<Browser> {
  return (shared ??= launch().then((browser) => {
    browser.on('disconnected', () => (shared = undefined))
    return browser
  }))
}

/**
 * Features that tests do not need. Chromium 156 loads two pages for the address bar of each window,
 * which cost more than all our pages.
 */
const unused = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

/** The features that Playwright disables: Chromium uses only the last list. */
const offForPlaywright = `
  AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose
  HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter NetworkTimeServiceQuerying OptimizationHints
  PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning
`.match(/\w+/g)!

export const withoutUnused = `--disable-features=${[...offForPlaywright, ...unused].join()}`

const off = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map(
  (name) => `--disable-${name}`,
)

/**
 * Starts Chromium for tests that need flags of their own. @param args more flags of its command
 * line.
 */
export async function launch(args: readonly string[] = []): Promise<Browser> {
  if (!existsSync(executable))
    throw new Error(
      `Failed to start Chromium: there is none at ${executable}. Install it, or name it with CHROMIUM.`,
    )
  // Loading it takes a second, which is spent only where a browser starts.
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath: executable,
    args: [
      ...'headless no-sandbox no-first-run'.split(' ').map((name) => `--${name}`),
      ...off,
      withoutUnused,
      ...args,
    ],
  })
}
