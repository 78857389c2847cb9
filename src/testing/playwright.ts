import {
  expect as baseExpect,
  test as base,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import { createGreenhouse } from '../greenhouse/create.ts'
import type { Greenhouse, GreenhouseOptions } from '../greenhouse/greenhouse.ts'
import type { World } from '../greenhouse/world.ts'
import { greenhouseMatchers, type GreenhouseMatchers } from './matchers.ts'
import { openTestHost, type TestHost } from './test-host.ts'
import { newest, toTestWorldName, toWorldApi, type WorldApi } from './test-world.ts'

export type { TestHost } from './test-host.ts'
export type { WorldApi } from './test-world.ts'

/** Playwright's `expect` with Greenhouse's matchers: `expect(world).toHaveNoViolations()`. */
export const expect: Expect<GreenhouseMatchers> = baseExpect.extend(greenhouseMatchers)

/** The fixtures that a test can use. */
export interface TestFixtures {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  world: World
  /** Base URLs and keys of this test's world, for clients other than the pages of its context. */
  api: WorldApi
}

/** What all tests of a worker share. */
export interface WorkerFixtures {
  /** The options of the Greenhouse: `test.use({ greenhouseOptions: { now: '2026-03-01T12:00:00Z' } })`. */
  greenhouseOptions: GreenhouseOptions
  greenhouse: Greenhouse
  /** The base URLs of the server, which listens on a free port of 127.0.0.1. Give them to the page. */
  greenhouseHost: TestHost
}

/**
 * Playwright's `test` with a world for every test. Requests from the pages of the test's `context` to the server carry the
 * world's header. When a test fails, it attaches the journal of the test's world as `greenhouse-journal.json`.
 * @example
 * test('shows an error', async ({ page, world, greenhouseHost }) => {
 *   world.use('server-error')
 *   await page.goto(`http://localhost:3000?api=${greenhouseHost.apps}`)
 * })
 * @note Playwright does not route requests of a service worker: set `serviceWorkers: 'block'`. In other contexts, and with
 * `request`, use the base URLs or a key of `api`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures, WorkerFixtures>({
  greenhouseOptions: [{}, { scope: 'worker', option: true }],
  greenhouse: [({ greenhouseOptions }, use) => use(createGreenhouse(greenhouseOptions)), { scope: 'worker' }],
  greenhouseHost: [
    async ({ greenhouse }, use) => {
      const host = await openTestHost(greenhouse)
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  world: async ({ greenhouse }, use, testInfo) => {
    const world = greenhouse.world(toTestWorldName(testInfo.title, `${testInfo.testId}-${testInfo.retry}`))
    world.pinned = true
    await use(world)
    if (testInfo.status !== testInfo.expectedStatus)
      await testInfo.attach('greenhouse-journal.json', {
        body: JSON.stringify(newest(world.journal), undefined, 2),
        contentType: 'application/json',
      })
    greenhouse.deleteWorld(world.name)
  },
  api: ({ greenhouseHost, world }, use) => use(toWorldApi(world, greenhouseHost)),
  context: async ({ context, greenhouseHost, world }, use) => {
    const { origin } = new URL(greenhouseHost.plants)
    await context.route(
      (url) => url.origin === origin,
      (route, request) => route.fallback({ headers: { ...request.headers(), 'x-greenhouse-world': world.name } }),
    )
    await use(context)
  },
})
