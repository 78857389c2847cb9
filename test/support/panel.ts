import { source } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { serve, type RunningServer, type ServeOptions } from 'greenhouse-mock/server'
import { createGreenhouse, type Greenhouse, type GreenhouseOptions } from 'greenhouse-mock'
import { canRun, sharedBrowser } from '../browser/chromium.ts'
import { start } from './through.ts'

/** Tests that pass on a quiet machine alone are found so: how many times slower the page runs, and how late its answers come at most, in milliseconds. */
const slowness = Number(process.env['GREENHOUSE_SLOW_PAGE'] ?? 1)
const jitter = Number(process.env['GREENHOUSE_LATE_ANSWERS'] ?? 0)

/** A panel in a browser, on a server of its own. */
export interface OpenPanel {
  readonly page: Page
  readonly greenhouse: Greenhouse
  readonly server: RunningServer
  /** Sends a request to the API, with `key_pro` unless named. */
  send(path: string, init?: RequestInit & { key?: string }): Promise<Response>
}

export interface PanelOptions {
  readonly greenhouse?: GreenhouseOptions
  readonly serve?: ServeOptions
  readonly browser?: BrowserContextOptions
  /** Is called before the page opens. */
  readonly before?: (greenhouse: Greenhouse) => unknown
}

/** Opens the panel at a place, such as `#/traffic?status=4xx`. The test fails where the page throws or prints an error. */
export type Open = (place?: string, options?: PanelOptions) => Promise<OpenPanel>

/** Tests of the panel in a browser, which a machine without Chromium skips. */
export function describePanel(title: string, define: (open: Open) => void): void {
  describe.skipIf(!canRun)(title, () => {
    define(async (place = '', options = {}) => {
      const greenhouse = createGreenhouse({ now: start, ...options.greenhouse })
      await options.before?.(greenhouse)
      const server = await serve(greenhouse, options.serve)
      onTestFinished(() => server.close())
      const browser = await sharedBrowser()
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        permissions: ['clipboard-read', 'clipboard-write'],
        reducedMotion: 'reduce',
        ...options.browser,
      })
      onTestFinished(() => context.close())
      if (jitter > 0) await delayAnswers(context)
      const page = await context.newPage()
      if (slowness > 1)
        await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowness })
      const errors = watchErrors(page)
      // After the page was closed nothing more can come.
      onTestFinished(() => expect(errors).toEqual([]))
      await page.goto(`${server.url}/__greenhouse/${place}`)
      const send: OpenPanel['send'] = (path, { key = 'key_pro', ...init } = {}) =>
        fetch(server.url + path, {
          ...init,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
        })
      return { page, greenhouse, server, send }
    })
  })
}

/** Lets every answer come late, most of them a little: they come in another order than they were asked for. */
async function delayAnswers(context: BrowserContext): Promise<void> {
  await context.route('**/__greenhouse/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * jitter))
    // The page may be gone by then.
    await route.continue().catch(() => undefined)
  })
}

/** What the page throws, and what it breaks of its own Content-Security-Policy. Calls that fail are part of what is tested. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  return errors
}

/** What keeps people from using the page as it is now: axe's findings, by WCAG 2.2 AA and best practice. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; help: string; nodes: { target: unknown; failureSummary: string }[] }[]
        }>
      }
    }
    const { violations } = await axe.run()
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${String(target)}: ${failureSummary}`),
    )
  })
}
