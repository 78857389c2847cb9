import { codedError } from '../core/text/error-codes.ts'
import {
  type APIRequestContext,
  type APIResponse,
  type BrowserContext,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type Request as PageRequest,
  test as base,
  type TestType,
  type WorkerInfo,
} from '@playwright/test'
import { answerFetched, createServicePath } from '../adapters/intercepted.ts'
import { baseUrlSchemas, type BaseUrls } from '../adapters/base-urls.ts'
import { assertPeer } from '../adapters/peer-version.ts'
import { checkOptions, section } from '../core/store/options.ts'
import { describeProblem } from '../core/text/messages.ts'
import { greenhouseSchemas } from '../api/options.ts'
import { toCaseText } from '../cases/case-text.ts'
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

/** The types of requests that scripts send, and not the browser for the page and its parts. */
const byPrograms = new Set(['fetch', 'xhr', 'eventsource'])

async function routePages(
  context: BrowserContext,
  greenhouse: Greenhouse,
  world: string,
  {
    bases,
    answersAll,
  }: {
    readonly bases: BaseUrls
    readonly answersAll: boolean
  },
): Promise<() => void> {
  const toPath = createServicePath(greenhouse, bases, answersAll ? 'all' : 'operations')
  const toKnownPath = createServicePath(greenhouse, bases)
  const underWay = new Map<PageRequest, AbortController>()
  const giveUp = (request: PageRequest) => underWay.get(request)?.abort()
  context.on('requestfailed', giveUp)
  await context.route(
    (url) => toPath(url) !== undefined,
    async (route, request) => {
      const url = new URL(request.url())
      // The application itself may be at the base URL.
      const isOfProgram = byPrograms.has(request.resourceType())
      const path = isOfProgram ? toPath(url) : toKnownPath(url)
      if (path === undefined) return route.fallback()
      const controller = new AbortController()
      underWay.set(request, controller)
      try {
        const asked = toFetchRequest(request, world, controller.signal)
        const response = await answerFetched(greenhouse, asked, url, path)
        const body = await response?.arrayBuffer()
        if (controller.signal.aborted) return
        if (!response || !body) return await route.abort('failed')
        const headers = Object.fromEntries(response.headers)
        await route.fulfill({
          status: response.status,
          headers,
          body: Buffer.from(body),
        })
      } catch (error) {
        // The client has given up, or its page is gone.
        if (!controller.signal.aborted) throw error
      } finally {
        underWay.delete(request)
      }
    },
  )
  return () => {
    context.off('requestfailed', giveUp)
    for (const controller of underWay.values()) controller.abort()
  }
}

function toFetchRequest(request: PageRequest, world: string, signal: AbortSignal): Request {
  const method = request.method()
  const headers = new Headers(
    Object.entries(request.headers()).filter(([name]) => !name.startsWith(':')),
  )
  headers.set('x-greenhouse-world', world)
  const body = method === 'GET' || method === 'HEAD' ? null : request.postDataBuffer()
  return new Request(request.url(), {
    method,
    headers,
    body: body as BodyInit | null,
    signal,
  })
}

type TargetFinder = (url: URL) => string | Promise<string> | undefined

const methods = ['fetch', 'get', 'post', 'put', 'patch', 'delete', 'head'] as const

type Fetch = APIRequestContext['fetch']
type FetchTarget = string | PageRequest
type FetchOptions = Parameters<Fetch>[1]
type FetchMethod = (target: FetchTarget, options?: FetchOptions) => Promise<APIResponse>

const worldHeader = 'x-greenhouse-world'

/**
 * Routes requests of `request` and `page.request` to a test's world: those for which `findTarget`
 * returns a target get its header. Playwright itself can set headers only for all requests of a
 * context.
 */
function routeRequests(
  context: APIRequestContext,
  world: string,
  baseUrl: string | undefined,
  findTarget: TargetFinder,
): void {
  for (const name of methods) {
    const send = context[name].bind(context) as FetchMethod
    const routed: FetchMethod = async (target, options = {}) => {
      const given = typeof target === 'string' ? target : target.url()
      const to = URL.canParse(given, baseUrl)
        ? await findTarget(new URL(given, baseUrl))
        : undefined
      if (!to) return send(target, options)
      const ofTarget = typeof target === 'string' ? {} : target.headers()
      const headers: Record<string, string> = { ...ofTarget, ...options.headers }
      if (!Object.keys(headers).some((header) => header.toLowerCase() === worldHeader))
        headers[worldHeader] = world
      const url = new URL(given, baseUrl).href
      if (to === url) return send(target, { ...options, headers })
      const response = await send(to, {
        ...toFetchOptions(target),
        ...options,
        headers,
      })
      // Reports the client's URL instead of the target's. Playwright adds `params` to it.
      const shown = new URL(url)
      shown.search = new URL(response.url()).search
      Object.defineProperty(response, 'url', { value: () => shown.href })
      return response
    }
    Object.defineProperty(context, name, {
      value: routed,
      configurable: true,
      writable: true,
    })
  }
}

function toFetchOptions(target: FetchTarget): NonNullable<FetchOptions> {
  if (typeof target === 'string') return {}
  return {
    method: target.method(),
    data: target.postDataBuffer() ?? undefined,
  }
}

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
function checkConfig({ project }: WorkerInfo): void {
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
