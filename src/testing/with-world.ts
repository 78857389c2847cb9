import { atCaller, laterAtCaller, type AtCaller } from '../core/definitions/at-caller.ts'
import { checkOptions } from '../core/definitions/options.ts'
import type { Greenhouse } from '../greenhouse/greenhouse.ts'
import type { World } from '../greenhouse/world.ts'
import { mswServerRule, type MswServer } from './msw-server.ts'
import { createSharedHost } from './shared-host.ts'
import { describeFailure } from './save-case.ts'
import { testRules, type TestGreenhouseOptions } from './strict.ts'
import { toCallerFile, toTestTitle } from './test-title.ts'
import { addToMessage, toTestWorldName, toWorldApi, type WorldApi } from './test-world.ts'

export type { MswServer } from './msw-server.ts'
export type { StrictChecks, TestGreenhouseOptions } from './strict.ts'
export type { WorldApi } from './test-world.ts'

/** The options of the Greenhouse that tests use, and of how clients reach it. A request that names no world makes the test fail, unless `strict` is `false`. */
export interface WithWorldOptions extends TestGreenhouseOptions {
  /** The absolute base URL of Area A, as the client uses it. With `plants` or `apps`, MSW answers there, and no server starts. */
  plants?: string | undefined
  /** The absolute base URL of Area B, with its version, as the client uses it. */
  apps?: string | undefined
  /** Your own MSW server, from `setupServer`. Greenhouse adds its handlers while a test runs, and calls `listen` unless you do. */
  server?: MswServer | undefined
}

/** The fixtures of a test. */
export interface WorldFixtures {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  readonly world: World
  /** Base URLs and keys of this test's world, for clients. */
  readonly api: WorldApi
  /** The Greenhouse of this world. It also has the worlds of tests that run at the same time. */
  readonly greenhouse: Greenhouse
}

/** Turns a function that takes a world into a function for `test` or `it`. */
export interface WithWorld {
  /** @param body the test. It gets its world, then the arguments of the test runner: a context, or a row of `test.each`. */
  <Args extends unknown[]>(body: (fixtures: WorldFixtures, ...args: Args) => unknown): (...args: Args) => Promise<void>
}

/**
 * Creates a `withWorld` with its own Greenhouse. A server on a free port of 127.0.0.1 serves all its tests, without keeping the
 * process alive. With `plants` or `apps`, MSW answers at these base URLs instead, while a test runs; this needs `msw`.
 * `greenhouse.config.ts` has the defaults of all options.
 * @example
 * const withWorld = createWithWorld({ apps: 'https://api.example.com/v1' })
 * @throws TypeError or RangeError for a wrong option. The first test throws what `createGreenhouse` throws.
 */
export function createWithWorld(options: WithWorldOptions = {}): WithWorld {
  return atCaller(createWithWorld, () => toWithWorld(options, laterAtCaller(createWithWorld)))
}

function toWithWorld(options: WithWorldOptions, create: AtCaller): WithWorld {
  checkOptions('createWithWorld', options, { ...testRules, server: mswServerRule })
  const host = createSharedHost(options, create)
  let tests = 0
  return function withWorld<Args extends unknown[]>(body: (fixtures: WorldFixtures, ...args: Args) => unknown) {
    const file = toCallerFile(withWorld)
    if (typeof body !== 'function')
      throw new TypeError(
        'Failed to call withWorld(): expected the test, a function. Pass options to createWithWorld({ … }).',
      )
    return async function (this: unknown, ...args: Args) {
      const name = toTestWorldName(toTestTitle(this, args), `t${++tests}`)
      const entered = await host.enter(name)
      const { greenhouse, bases } = entered
      try {
        const world = greenhouse.world(name)
        world.pinned = true
        await runAndExplain(
          { world, file },
          () => body.call(this, { world, api: toWorldApi(world, bases), greenhouse }, ...args),
          () => host.end(name),
        )
      } finally {
        await host.leave(name, entered)
      }
    }
  }
}

/** Runs a test and ends it. If it fails, adds the requests of its world, and stray ones, to its error. */
async function runAndExplain(
  { world, file }: { readonly world: World; readonly file: string | undefined },
  body: () => unknown,
  end: () => void,
): Promise<void> {
  try {
    await body()
  } catch (error) {
    const texts = [describeFailure(world, { file })]
    try {
      end()
    } catch (strays) {
      texts.push((strays as Error).message)
    }
    const text = texts.join('\n\n')
    if (!addToMessage(error, text)) console.error(text)
    throw error
  }
  end()
}

/**
 * Gives a test its own world, in any test runner: `node:test`, Mocha, Jest and others. Such tests can run concurrently. The
 * error of a failing test lists the requests that its world received. A request that names no world makes the test fail.
 * @example
 * test('plants are listed', withWorld(async ({ world, api }) => {
 *   const response = await fetch(`${api.plantsUrl}/plants`, { headers: { authorization: 'Bearer key_pro' } })
 *   assert.equal(response.status, 200)
 * }))
 */
export const withWorld: WithWorld = createWithWorld()
