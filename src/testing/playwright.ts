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
import { greenhouseMatchers } from './matchers.ts'
import { openTestHost, type TestHost } from './test-host.ts'
import { newest, toTestWorldName, toWorldApi, type WorldApi } from './test-world.ts'

export type { TestHost } from './test-host.ts'
export type { WorldApi } from './test-world.ts'

/** Playwright's `expect` with Greenhouse's matchers: `expect(world).toHaveNoViolations()`. */
export const expect: Expect<typeof greenhouseMatchers> = baseExpect.extend(greenhouseMatchers)

/** What a test can ask for. */
export interface TestFixtures {
  /** This test's own world: named after the test, gone when it ends. */
  world: World
  /** Base URLs and keys that lead to this test's world also what is no page of its context. */
  api: WorldApi
}

/** What a worker's tests share. */
export interface WorkerFixtures {
  /** How the Greenhouse starts: `test.use({ greenhouseOptions: { now: '2026-03-01T12:00:00Z' } })`. */
  greenhouseOptions: GreenhouseOptions
  greenhouse: Greenhouse
  /** The server, on a free port of 127.0.0.1: the base URLs to give to a page. */
  greenhouseHost: TestHost
}

/**
 * Playwright's `test`, where every test has a world of its own: requests of its `page`, and of all pages of its `context`,
 * carry the world's header when they go to the server, and only then. When a test fails, its world's journal is attached
 * as `greenhouse-journal.json`.
 * @note Requests of a service worker pass routes by: set `serviceWorkers: 'block'`. Contexts that a test makes itself, and
 * `request`, take the base URLs or a key of `api`.
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
