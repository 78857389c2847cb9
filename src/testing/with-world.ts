import { codedError } from '../core/text/error-codes.ts'
import { withCallerStack, type WithCallerStack, keepCallerStack } from '../core/contract/options.ts'
import { checkOptions } from '../core/store/options.ts'
import { afterIfAlive } from '../core/time/clock.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type {
  NamesOf,
  NamingOptions,
  NoNames,
  OwnNames,
  WrittenScenarios,
} from '../catalogue/inferred-names.ts'
import type { World } from '../api/world.ts'
import type { LoadedConfig } from '../files/load-config.ts'
import type { OwnCollection, Plugin } from '../custom/definitions.ts'
import { type MswServer, mswServerSchema, type TestHost } from './reach.ts'
import {
  addToMessage,
  describeFailure,
  toTestWorldName,
  toWorldApi,
  type WorldApi,
} from './test-world.ts'
import {
  createWatched,
  type WatchedGreenhouse,
  onTopOf,
  type RunningTest,
  type TestGreenhouseOptions,
  testSchemas,
  toStrictChecks,
  UnhandledRequests,
} from './strict.ts'
import { loadTestConfig, openTestHost } from './test-host.ts'

/** How long a host waits for the next test, in milliseconds. */
const longestPause = 500

/** A Greenhouse that tests share, and where their clients reach it. */
interface OpenHost extends WatchedGreenhouse {
  readonly bases: TestHost
}

/**
 * The host opens with the first test. Between tests it does not keep the process alive, and closes
 * if no test comes: in Jest, the next file has its own host.
 */
function createSharedHost(given: WithWorldOptions, create: WithCallerStack) {
  const unhandled = new UnhandledRequests()
  const running = new Map<string, RunningTest>()
  let watched: WatchedGreenhouse | undefined
  let opened: Promise<OpenHost> | undefined
  let config: LoadedConfig | Promise<LoadedConfig> | undefined
  let stopWaiting = () => {}

  const open = async (): Promise<OpenHost> => {
    // The host opens in the same turn if there is no file.
    config ??= loadTestConfig()
    const { plants, apps, server, ...options } = onTopOf(
      config instanceof Promise ? await config : config,
      given,
    )
    const { operation: answersAll } = toStrictChecks(options.strict)
    watched ??= createWatched(options, unhandled, { plants, apps }, create)
    const served = {
      plants,
      apps,
      server,
      answersAll,
    }
    return {
      ...watched,
      bases: await openTestHost(watched.greenhouse, served),
    }
  }

  const end = async () => {
    const [used, closing] = [watched, opened]
    watched = opened = undefined
    unhandled.forgetEnded()
    await (await closing)?.bases.close()
    used?.greenhouse.close()
  }

  return {
    enter: async (world: string) => {
      stopWaiting()
      running.set(world, unhandled.begin(world))
      try {
        const host = await (opened ??= open())
        host.bases.hold?.(true)
        return host
      } catch (error) {
        running.delete(world)
        if (running.size === 0) opened = undefined
        throw error
      }
    },
    end: (world: string) => running.get(world)?.end(),
    /**
     * Deletes the test's world. After the last running test, deletes all others, and lets go of the
     * process and of MSW.
     */
    leave: async (world: string, { greenhouse, saveEvidence, bases }: OpenHost) => {
      running.delete(world)
      greenhouse.deleteWorld(world)
      if (running.size > 0) return
      for (const other of greenhouse.worlds()) greenhouse.deleteWorld(other)
      saveEvidence()
      stopWaiting = afterIfAlive(longestPause, () => void end())
      if (bases.hold) return bases.hold(false)
      opened = undefined
      await bases.close()
    },
  }
}

/**
 * The options of the Greenhouse that tests use, and of how clients reach it. A request that names
 * no world makes the test fail, unless `strict` is `false`.
 */
export interface WithWorldOptions<
  Own extends OwnNames = NoNames,
> extends TestGreenhouseOptions<Own> {
  /**
   * The absolute base URL of Area A, as the client uses it. With `plants` or `apps`, MSW answers
   * there, and no server starts.
   */
  plants?: string | undefined
  /** The absolute base URL of Area B, with its version, as the client uses it. */
  apps?: string | undefined
  /**
   * Your own MSW server, from `setupServer`. Greenhouse adds its handlers while a test runs, and
   * calls `listen` unless you do.
   */
  server?: MswServer | undefined
}

/** The fixtures of a test. */
export interface WorldFixtures<Own extends OwnNames = NoNames> {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  readonly world: World<Own>
  /** Base URLs and keys of this test's world, for clients. */
  readonly api: WorldApi
  /** The Greenhouse of this world. It also has the worlds of tests that run at the same time. */
  readonly greenhouse: Greenhouse<Own>
}

/** Turns a function that takes a world into a function for `test` or `it`. */
export interface WithWorld<Own extends OwnNames = NoNames> {
  /**
   * @param body the test. It gets its world, then the arguments of the test runner: a context, or a
   * row of `test.each`.
   */
  <Args extends unknown[]>(
    body: (fixtures: WorldFixtures<Own>, ...args: Args) => unknown,
  ): (...args: Args) => Promise<void>
}

/**
 * Creates a `withWorld` with its own Greenhouse. A server on a free port of 127.0.0.1 serves all
 * its tests, without keeping the process alive. With `plants` or `apps`, MSW answers at these base
 * URLs instead, while a test runs; this needs `msw`. `greenhouse.config.ts` has the defaults of all
 * options.
 * @example
 * const withWorld = createWithWorld({ apps: 'https://api.example.com/v1' })
 * @throws TypeError or RangeError for a wrong option. The first test throws what `createGreenhouse`
 * throws.
 */
export function createWithWorld<
  Scenarios extends WrittenScenarios = {},
  Collections extends readonly OwnCollection[] = [],
  Plugins extends readonly Plugin[] = [],
>(
  options: NamingOptions<Scenarios, Collections, Plugins> &
    WithWorldOptions<NamesOf<NoInfer<Scenarios>, Collections, Plugins>> = {},
): WithWorld<NamesOf<Scenarios, Collections, Plugins>> {
  return withCallerStack(createWithWorld, () =>
    toWithWorld(options as WithWorldOptions, keepCallerStack(createWithWorld)),
  )
}

function toWithWorld<Own extends OwnNames>(
  options: WithWorldOptions,
  create: WithCallerStack,
): WithWorld<Own> {
  checkOptions('createWithWorld', options, {
    ...testSchemas,
    server: mswServerSchema,
  })
  const host = createSharedHost(options, create)
  let tests = 0
  return function withWorld<Args extends unknown[]>(
    body: (fixtures: WorldFixtures<Own>, ...args: Args) => unknown,
  ) {
    const file = findCallerFile(withWorld)
    if (typeof body !== 'function')
      throw codedError(
        'GREENHOUSE_INVALID_ARGUMENT',
        'Failed to call withWorld(): expected the test, a function. Pass options to createWithWorld({ … }).',
      )
    return async function (this: unknown, ...args: Args) {
      const name = toTestWorldName(toTestTitle(this, args), `t${++tests}`)
      await runInWorld(host, name, file, (fixtures) =>
        body.call(this, fixtures as WorldFixtures<Own>, ...args),
      )
    }
  }
}

/** Gives a test its world, and takes both away after it. */
async function runInWorld(
  host: ReturnType<typeof createSharedHost>,
  name: string,
  file: string | undefined,
  test: (fixtures: object) => unknown,
) {
  const entered = await host.enter(name)
  const { greenhouse, bases } = entered
  try {
    const world = greenhouse.world(name)
    world.pinned = true
    const fixtures = {
      world,
      api: toWorldApi(world, bases),
      greenhouse,
    }
    const run = async () => void (await test(fixtures))
    await run().catch((error: unknown) => {
      addRequests(error, describeFailure(world, error, { file }), () => host.end(name))
      throw error
    })
    host.end(name)
  } finally {
    await host.leave(name, entered)
  }
}

/** Ends a test that failed. Adds the requests of its world, and stray ones, to its error. */
function addRequests(error: unknown, requests: string, end: () => void) {
  let text = requests
  try {
    end()
  } catch (strays) {
    text += `\n\n${(strays as Error).message}`
  }
  if (!addToMessage(error, text)) console.error(text)
}

/**
 * Gives a test its own world, in any test runner: `node:test`, Mocha, Jest and others. Such tests
 * can run concurrently. The error of a failing test lists the requests that its world received. A
 * request that names no world makes the test fail.
 * @example
 * test('plants are listed', withWorld(async ({ world, api }) => {
 *   const response = await fetch(`${api.plantsUrl}/plants`, { headers: { authorization: 'Bearer key_pro' } })
 *   assert.equal(response.status, 200)
 * }))
 */
export const withWorld: WithWorld = createWithWorld()

function findCallerFile(own: Function): string | undefined {
  const trace: { stack?: string } = {}
  Error.captureStackTrace?.(trace, own)
  const [, place = ''] = (trace.stack ?? '').split('\n')
  const [name] = place
    .slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1)
    .split(/[.:]/)
  if (name !== undefined && /^[\w-]+$/.test(name)) return name
  return undefined
}

/**
 * Returns the title of the running test: Mocha has it in `this`, `node:test` in the context, Jest
 * in `expect`. With other runners, it is `test`.
 */
function toTestTitle(self: unknown, args: readonly unknown[]): string {
  const { expect } = globalThis as { expect?: { getState?: () => { currentTestName?: unknown } } }
  const found = [
    (self as { test?: { title?: unknown } } | undefined)?.test?.title,
    (args[0] as { name?: unknown } | undefined)?.name,
    typeof expect?.getState === 'function' ? expect.getState().currentTestName : undefined,
  ].find((title) => typeof title === 'string')
  return typeof found === 'string' ? found : 'test'
}
