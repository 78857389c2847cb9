import { codedError } from '../core/text/error-codes.ts'
import {
  type Expect,
  expect as baseExpect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as base,
  type TestType,
  type WorkerInfo,
} from '@playwright/test'
import { createServicePath } from '../adapters/intercepted.ts'
import { type BaseUrls, baseUrlSchemas } from '../adapters/base-urls.ts'
import { assertPeer } from '../adapters/peer-version.ts'
import { checkOptions, section } from '../core/store/options.ts'
import { describeProblem } from '../core/text/messages.ts'
import { greenhouseSchemas } from '../api/options.ts'
import { toCaseText } from '../cases/format.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { World } from '../api/world.ts'
import { greenhouseMatchers, type GreenhouseMatchers } from './matchers.ts'
import { hasBases, type TestHost, toBases } from './reach.ts'
import {
  addToMessage,
  describeFailure,
  newest,
  toTestWorldName,
  toWorldApi,
  type WorldApi,
} from './test-world.ts'
import {
  createWatched,
  onTopOf,
  type RunningTest,
  strictSchema,
  type TestGreenhouseOptions,
  toStrictChecks,
  UnhandledRequests,
} from './strict.ts'
import { loadTestConfig, openTestHost } from './test-host.ts'
import { routePages, routeRequests, type TargetFinder } from './route-playwright.ts'

assertPeer('greenhouse-mock/playwright', '@playwright/test', '1.40', import.meta.url)

/** Playwright's `expect` with Greenhouse's matchers: `expect(world).toHaveNoViolations()`. */
export const expect: Expect<GreenhouseMatchers> = baseExpect.extend(greenhouseMatchers)

/** The fixtures of a test. */
export interface TestFixtures {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  world: World
  /**
   * Base URLs and keys of this test's world, for clients whose requests the fixtures don't route.
   */
  api: WorldApi
}

/** The fixtures that all tests of a worker share. */
export interface WorkerFixtures {
  /**
   * The options of the Greenhouse: `test.use({ greenhouseOptions: { now: '2026-03-01T12:00:00Z',
   * strict: true } })`.
   */
  greenhouseOptions: TestGreenhouseOptions
  /**
   * The base URLs that the page uses. With one of them, the page's requests are answered there,
   * without a server.
   */
  greenhouseBases: BaseUrls
  greenhouse: Greenhouse
  /**
   * The base URLs of the world `default`: those of `greenhouseBases`, or of a server on a free port
   * of 127.0.0.1.
   */
  greenhouseHost: TestHost
}

interface InnerWorkerFixtures {
  /** The options of tests, on top of those of the configuration file. */
  greenhouseSettings: {
    options: TestGreenhouseOptions
    bases: BaseUrls
  }
  /** Returns the target of requests that no page sends. */
  greenhouseTarget: TargetFinder
}

const unhandled = new UnhandledRequests()

const schemas = {
  greenhouseOptions: section({
    ...greenhouseSchemas,
    strict: strictSchema,
  }),
  greenhouseBases: section(baseUrlSchemas),
}

/**
 * Playwright's `test` with a world for every test. Requests of the test's pages, of `page.request`
 * and of `request` reach that world. When a test fails, the journal of its world is attached as
 * `greenhouse-journal.json`.
 * @example
 * test.use({ greenhouseBases: { apps: 'https://api.example.com/v1' } })   // or give greenhouseHost.apps to the page
 * test('shows an error', async ({ page, world }) => {
 *   world.use('server-error')
 *   await page.goto('http://localhost:3000')
 * })
 * @note Playwright does not route requests of service workers: set `serviceWorkers: 'block'`. In
 * other contexts, use the base URLs or a key of `api`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<
  TestFixtures & { greenhouseTest: RunningTest },
  WorkerFixtures & InnerWorkerFixtures
>({
  greenhouseOptions: [{}, { scope: 'worker', option: true }],
  greenhouseBases: [{}, { scope: 'worker', option: true }],
  greenhouseSettings: [
    async ({ greenhouseOptions, greenhouseBases }, use, workerInfo) => {
      checkOptions('test.use', { greenhouseOptions, greenhouseBases }, schemas)
      checkConfig(workerInfo)
      const config = await loadTestConfig()
      await use({
        options: onTopOf(
          {
            ...config,
            bases: {},
          },
          greenhouseOptions,
        ),
        bases: hasBases(greenhouseBases) ? greenhouseBases : config.bases,
      })
    },
    { scope: 'worker' },
  ],
  greenhouse: [
    async ({ greenhouseSettings: { options, bases } }, use) => {
      // At base URLs, the page may have any origin: it calls the URLs of the real service, and not
      // this machine.
      const all = hasBases(bases)
        ? {
            cors: ['*'],
            ...options,
          }
        : options
      const { greenhouse, close } = createWatched(all, unhandled, bases)
      await use(greenhouse)
      close()
    },
    { scope: 'worker' },
  ],
  greenhouseHost: [
    async ({ greenhouse, greenhouseSettings: { bases } }, use) => {
      if (hasBases(bases)) {
        greenhouse.declareHostWithoutConnections('Playwright')
        return use({
          ...toBases(bases),
          close: async () => undefined,
        })
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
        return use((url) => {
          if (url.origin === origin) return url.href
          return undefined
        })
      }
      // Requests outside pages need a connection, so a server starts at the first one.
      let server: Promise<TestHost> | undefined
      const below = toStrictChecks(options.strict).operation ? 'all' : 'operations'
      const toPath = createServicePath(greenhouse, greenhouseHost, below)
      await use((url) => {
        const path = toPath(url)
        if (path === undefined) return undefined
        return (server ??= openTestHost(greenhouse)).then(
          ({ plants }) => plants + path + url.search,
        )
      })
      await (await server)?.close()
    },
    { scope: 'worker' },
  ],
  greenhouseTest: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright needs the pattern
    async ({}, use, testInfo) => {
      const running = unhandled.begin(
        toTestWorldName(testInfo.title, `${testInfo.testId}-${testInfo.retry}`),
      )
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
      const error = testInfo.errors.at(-1)
      addToMessage(error, describeFailure(world, error))
      await testInfo.attach('greenhouse.case.yaml', {
        body: toCaseText(world.toCase()),
        contentType: 'text/yaml',
      })
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
    {
      context,
      baseURL,
      greenhouse,
      greenhouseHost,
      greenhouseTarget,
      greenhouseSettings: { options, bases },
      world,
    },
    use,
  ) => {
    routeRequests(context.request, world.name, baseURL, greenhouseTarget)
    if (hasBases(bases)) {
      const { operation: answersAll } = toStrictChecks(options.strict)
      const answered = {
        bases: greenhouseHost,
        answersAll,
      }
      const giveUp = await routePages(context, greenhouse, world.name, answered)
      await use(context)
      return giveUp()
    }
    const { origin } = new URL(greenhouseHost.plants)
    await context.route(
      (url) => url.origin === origin,
      (route, request) =>
        route.fallback({
          headers: {
            ...request.headers(),
            'x-greenhouse-world': world.name,
          },
        }),
    )
    await use(context)
  },
  request: async ({ request, baseURL, greenhouseTarget, world }, use) => {
    routeRequests(request, world.name, baseURL, greenhouseTarget)
    await use(request)
  },
})

/**
 * @throws TypeError for a misspelt option in the configuration file: Playwright ignores unknown
 * ones.
 */
function checkConfig({ project }: WorkerInfo) {
  const known = Object.keys(schemas)
  const wrong = Object.keys(project.use).find(
    (name) => /^greenhouse/i.test(name) && !known.includes(name),
  )
  if (wrong !== undefined)
    throw codedError(
      'GREENHOUSE_INVALID_ARGUMENT',
      `Failed to read \`use\` of the configuration: ${wrong}: ${describeProblem('there is no such option', wrong, known, true)}`,
    )
}
