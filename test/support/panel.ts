import { source } from 'axe-core'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished, test } from 'vitest'
import { serve, type RunningServer, type ServeOptions } from 'greenhouse-mock/server'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { canRun } from '../browser/chromium.ts'
import { createSharedPage, load } from '../browser/shared-page.ts'
import { findFreePort } from './free-port.ts'
import { createFetcher, start } from './test-api.ts'

/**
 * Tests that pass on a quiet machine alone are found so: how many times slower the page runs, and
 * how late its answers come at most, in milliseconds.
 */
const slowness = Number(process.env['GREENHOUSE_SLOW_PAGE'] ?? 1)
const jitter = Number(process.env['GREENHOUSE_LATE_ANSWERS'] ?? 0)

export interface OpenPanel {
  readonly page: Page
  readonly greenhouse: Greenhouse
  readonly world: World
  readonly server: RunningServer
  /** Sends a request to the API, with `key_pro` unless named. */
  send(path: string, init?: RequestInit & { key?: string }): Promise<Response>
}

export interface PanelOptions {
  readonly greenhouse?: GreenhouseOptions
  readonly serve?: ServeOptions
  readonly browser?: BrowserContextOptions
  readonly worlds?: readonly string[]
  readonly before?: (greenhouse: Greenhouse) => unknown
  /** Called before the page opens, to route its requests. */
  readonly route?: (page: Page) => unknown
}

/** A test of the panel in a browser, which a machine without Chromium skips. */
export const panelTest = test.skipIf(!canRun)

/**
 * Opens the panel at a place, such as `#/traffic?status=4xx`. The test fails where the page throws
 * or prints an error.
 */
export async function openPanel(place = '', options: PanelOptions = {}): Promise<OpenPanel> {
  const greenhouse = createGreenhouse({ now: start, ...options.greenhouse })
  options.worlds?.forEach((name) => greenhouse.world(name))
  await options.before?.(greenhouse)
  const server = await serveAtSame(greenhouse, options.serve)
  onTestFinished(() => server.close())
  const page = await takePage(options.browser)
  await options.route?.(page)
  await load(page, `${server.url}/__greenhouse/${place}`)
  return { page, greenhouse, world: greenhouse.world(), server, send: createFetcher(server.url) }
}

const takePage = createSharedPage({
  async onPage(page) {
    if (jitter > 0) await delayAnswers(page.context())
    if (slowness === 1) return
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  },
})

let port: number | undefined

/**
 * Serves it where the one before was served, if that has ended: Chromium knows the scripts from
 * there.
 */
async function serveAtSame(
  greenhouse: Greenhouse,
  options: ServeOptions = {},
): Promise<RunningServer> {
  port ??= await findFreePort()
  return serve(greenhouse, { ...options, port }).catch(async () =>
    serve(greenhouse, { ...options, port: await findFreePort() }),
  )
}

/** Delays every answer, mostly a little: they arrive out of order. */
async function delayAnswers(context: BrowserContext): Promise<void> {
  await context.route('**/__greenhouse/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() ** 2 * jitter))
    // The page may be gone by then.
    await route.continue().catch(() => undefined)
  })
}

/** Returns accessibility problems of the page: axe's findings, by WCAG 2.2 AA and best practice. */
export async function findBarriers(page: Page): Promise<string[]> {
  // It stays until the page reloads.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(options: { resultTypes: string[]; rules: object }): Promise<{
          violations: {
            id: string
            help: string
            nodes: { target: unknown; failureSummary: string }[]
          }[]
        }>
      }
    }
    // It is a rule of WCAG 2.2 AA, which axe leaves out unless it is asked.
    const rules = { 'target-size': { enabled: true } }
    const { violations } = await axe.run({ resultTypes: ['violations'], rules })
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${id}: ${help}: ${String(target)}: ${failureSummary}`,
      ),
    )
  })
}
