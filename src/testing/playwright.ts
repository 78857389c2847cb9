import {
  expect as baseExpect,
  test as base,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
  type WorkerInfo,
} from '@playwright/test'
import { createServicePath } from '../adapters/area-paths.ts'
import { baseUrlRules, type BaseUrls } from '../adapters/base-urls.ts'
import { assertPeer } from '../adapters/peer-version.ts'
import { checkOptions, section } from '../core/definitions/options.ts'
import { toClientUrl } from '../core/http/client-url.ts'
import { suggest } from '../core/definitions/suggest.ts'
import { greenhouseRules } from '../greenhouse/assembly/options.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import { toCaseText } from '../greenhouse/case/text.ts'
import type { World } from '../greenhouse/world.ts'
import { routeRequests, type TargetFinder } from './route-requests.ts'
import { greenhouseMatchers, type GreenhouseMatchers } from './matchers.ts'
import { routePages } from './route-pages.ts'
import {
  createWatched,
  onTopOf,
  Strays,
  strictRule,
  toChecks,
  type RunningTest,
  type TestGreenhouseOptions,
} from './strict.ts'
import { hasBases, toBases, type TestHost } from './reach.ts'
import { loadTestConfig } from './test-config.ts'
import { openTestHost } from './test-host.ts'
import { describeFailure } from './save-case.ts'
import { addToMessage, newest, toTestWorldName, toWorldApi, type WorldApi } from './test-world.ts'
import { closeWithEvidence } from './save-evidence.ts'

assertPeer('greenhouse-mock/playwright', '@playwright/test', '1.40', import.meta.url)

export type { BaseUrls } from '../adapters/base-urls.ts'
export type { StrictChecks, TestGreenhouseOptions } from './strict.ts'
export type { TestHost } from './reach.ts'
export type { WorldApi } from './test-world.ts'

/** Playwright's `expect` with Greenhouse's matchers: `expect(world).toHaveNoViolations()`. */
export const expect: Expect<GreenhouseMatchers> = baseExpect.extend(greenhouseMatchers)

/** The fixtures of a test. */
export interface TestFixtures {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  world: World
  /** Base URLs and keys of this test's world, for clients whose requests the fixtures don't route. */
  api: WorldApi
}

/** The fixtures that all tests of a worker share. */
export interface WorkerFixtures {
  /** The options of the Greenhouse: `test.use({ greenhouseOptions: { now: '2026-03-01T12:00:00Z', strict: true } })`. */
  greenhouseOptions: TestGreenhouseOptions
  /** The base URLs that the page uses. With one of them, the page's requests are answered there, without a server. */
  greenhouseBases: BaseUrls
  greenhouse: Greenhouse
  /** The base URLs of the world `default`: those of `greenhouseBases`, or of a server on a free port of 127.0.0.1. */
  greenhouseHost: TestHost
}

interface InnerFixtures {
  greenhouseTest: RunningTest
}

interface InnerWorkerFixtures {
  /** The options of tests, on top of those of the configuration file. */
  greenhouseSettings: { options: TestGreenhouseOptions; bases: BaseUrls }
  greenhouseStrays: Strays
  /** Returns the target of requests that no page sends. */
  greenhouseTarget: TargetFinder
}

const rules = {
  greenhouseOptions: section({ ...greenhouseRules, strict: strictRule }),
  greenhouseBases: section(baseUrlRules),
}

/**
 * Playwright's `test` with a world for every test. Requests of the test's pages, of `page.request` and of `request` reach that
 * world. When a test fails, the journal of its world is attached as `greenhouse-journal.json`.
 * @example
 * test.use({ greenhouseBases: { apps: 'https://api.example.com/v1' } })   // or give greenhouseHost.apps to the page
 * test('shows an error', async ({ page, world }) => {
 *   world.use('server-error')
 *   await page.goto('http://localhost:3000')
 * })
 * @note Playwright does not route requests of service workers: set `serviceWorkers: 'block'`. In other contexts, use the base
 * URLs or a key of `api`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures & InnerFixtures, WorkerFixtures & InnerWorkerFixtures>({
  greenhouseOptions: [{}, { scope: 'worker', option: true }],
  greenhouseBases: [{}, { scope: 'worker', option: true }],
  greenhouseStrays: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright needs the pattern
    async ({}, use) => {
      const strays = new Strays()
      await use(strays)
      strays.end()
    },
    { scope: 'worker' },
  ],
  greenhouseSettings: [
    async ({ greenhouseOptions, greenhouseBases }, use, workerInfo) => {
      checkOptions('test.use', { greenhouseOptions, greenhouseBases }, rules)
      checkConfig(workerInfo)
      const config = await loadTestConfig()
      await use({
        options: onTopOf({ ...config, bases: {} }, greenhouseOptions),
        bases: hasBases(greenhouseBases) ? greenhouseBases : config.bases,
      })
    },
    { scope: 'worker' },
  ],
  greenhouse: [
    async ({ greenhouseSettings: { options, bases }, greenhouseStrays }, use) => {
      const greenhouse = hasBases(bases)
        ? // The page may have any origin: it calls the URLs of the real service, and not this machine.
          createWatched({ cors: ['*'], ...options }, greenhouseStrays, toClientUrl(toBases(bases)))
        : createWatched(options, greenhouseStrays)
      await use(greenhouse)
      closeWithEvidence(greenhouse)
    },
    { scope: 'worker' },
  ],
  greenhouseHost: [
    async ({ greenhouse, greenhouseSettings: { bases } }, use) => {
      if (hasBases(bases)) {
        greenhouse.declareHostWithoutConnections('Playwright')
        return use({ ...toBases(bases), close: async () => undefined })
      }
      const host = await openTestHost(greenhouse)
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  greenhouseTarget: [
    async ({ greenhouse, greenhouseHost, greenhouseSettings: { options, bases } }, use) => {
      if (!hasBases(bases)) {
        const { origin } = new URL(greenhouseHost.plants)
        return use((url) => (url.origin === origin ? { url: url.href } : undefined))
      }
      // Requests outside pages need a connection, so a server starts at the first one.
      let server: Promise<TestHost> | undefined
      const toPath = createServicePath(
        greenhouse,
        greenhouseHost,
        toChecks(options.strict).operation ? 'all' : 'operations',
      )
      await use(async (url) => {
        const path = toPath(url)
        return path === undefined
          ? undefined
          : { url: (await (server ??= openTestHost(greenhouse))).plants + path + url.search }
      })
      await (await server)?.close()
    },
    { scope: 'worker' },
  ],
  greenhouseTest: [
    async ({ greenhouseStrays }, use, testInfo) => {
      const running = greenhouseStrays.begin(toTestWorldName(testInfo.title, `${testInfo.testId}-${testInfo.retry}`))
      await use(running)
      running.end()
    },
    { auto: true },
  ],
  world: async ({ greenhouse, greenhouseTest }, use, testInfo) => {
    const world = greenhouse.world(greenhouseTest.world)
    world.pinned = true
    await use(world)
    const hasFailed = testInfo.status !== testInfo.expectedStatus
    if (hasFailed) {
      addToMessage(testInfo.errors.at(-1), describeFailure(world))
      await testInfo.attach('greenhouse.case.yaml', { body: toCaseText(world.toCase()), contentType: 'text/yaml' })
    }
    if (hasFailed || greenhouseTest.found.count > 0)
      await testInfo.attach('greenhouse-journal.json', {
        body: JSON.stringify(newest(world.journal), undefined, 2),
        contentType: 'application/json',
      })
    greenhouse.deleteWorld(world.name)
  },
  api: ({ greenhouseHost, world }, use) => use(toWorldApi(world, greenhouseHost)),
  context: async (
    { context, baseURL, greenhouse, greenhouseHost, greenhouseTarget, greenhouseSettings: { options, bases }, world },
    use,
  ) => {
    routeRequests(context.request, world.name, baseURL, greenhouseTarget)
    if (hasBases(bases)) {
      const { operation: answersAll } = toChecks(options.strict)
      const giveUp = await routePages(context, { greenhouse, world: world.name, bases: greenhouseHost, answersAll })
      await use(context)
      return giveUp()
    }
    const { origin } = new URL(greenhouseHost.plants)
    await context.route(
      (url) => url.origin === origin,
      (route, request) => route.fallback({ headers: { ...request.headers(), 'x-greenhouse-world': world.name } }),
    )
    await use(context)
  },
  request: async ({ request, baseURL, greenhouseTarget, world }, use) => {
    routeRequests(request, world.name, baseURL, greenhouseTarget)
    await use(request)
  },
})

/** @throws TypeError for a misspelt option in the configuration file: Playwright ignores unknown ones. */
function checkConfig({ project }: WorkerInfo): void {
  const known = Object.keys(rules)
  const wrong = Object.keys(project.use).find((name) => /^greenhouse/i.test(name) && !known.includes(name))
  if (wrong !== undefined)
    throw new TypeError(
      `Failed to read \`use\` of the configuration: there is no option "${wrong}", only ${known.join(', ')}.${suggest(wrong, known)}`,
    )
}
