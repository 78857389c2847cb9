import { expect, test as base, type TestAPI } from 'vitest'
import type { WithCallerStack } from '../core/contract/options.ts'
import { checkOptions, type Schema } from '../core/store/options.ts'
import type { LoadedConfig } from '../files/load-config.ts'
import type { Case } from '../cases/generated/case.ts'
import type { Greenhouse } from '../api/greenhouse.ts'
import type { NoNames, OwnNames } from '../catalogue/inferred-names.ts'
import type { World } from '../api/world.ts'
import { greenhouseMatchers, type GreenhouseAssertions } from './matchers.ts'
import {
  hasBases,
  type HostOpener,
  type MswServer,
  type MswWorker,
  type TestHost,
} from './reach.ts'
import {
  createWatched,
  onTopOf,
  type RunningTest,
  testSchemas,
  toStrictChecks,
  UnhandledRequests,
} from './strict.ts'
import type { WithWorldOptions } from './with-world.ts'
import {
  addToMessage,
  describeFailure,
  toTestWorldName,
  toWorldApi,
  type WorldApi,
} from './test-world.ts'

// Vitest's own `Matchers` has other type parameters in version 5. The `expect` of every version has
// Chai's assertions.
declare global {
  namespace Chai {
    interface Assertion extends GreenhouseAssertions<void> {}
  }
}

/** The options of the Greenhouse that tests use, and of how clients reach it. */
export interface TestOptions<Own extends OwnNames = NoNames> extends Omit<
  WithWorldOptions<Own>,
  'server'
> {
  /**
   * Your own MSW server, from `setupServer`. Greenhouse adds its handlers, and calls `listen`
   * unless you do. In Vitest's browser mode, pass your worker, from `setupWorker`, and start it
   * yourself.
   */
  server?: MswServer | MswWorker | undefined
}

/** The fixtures of a test. */
export interface TestFixtures<Own extends OwnNames = NoNames> {
  /** The world of this test. It has the test's name, and is deleted when the test ends. */
  world: World<Own>
  /** Base URLs and keys of this test's world, for clients. */
  api: WorldApi
  /** The Greenhouse that all tests of a file share. */
  greenhouse: Greenhouse<Own>
  /** The base URLs of the world `default`. */
  greenhouseHost: TestHost
}

interface TestEnvironment {
  readonly open: HostOpener
  readonly server: Schema
  /**
   * Creates the Greenhouse, at the first test, so that an error begins at the line that calls
   * `createTest`.
   */
  readonly create: WithCallerStack
  /** The configuration file, which has the defaults of the options. A page has none. */
  readonly config?: LoadedConfig
}

export function extendTest<Own extends OwnNames>(
  options: TestOptions,
  environment: TestEnvironment,
): TestAPI<TestFixtures<Own>> {
  checkOptions('createTest', options, {
    ...testSchemas,
    server: environment.server,
  })
  const { plants, apps, server, ...rest } = environment.config
    ? onTopOf(environment.config, options)
    : options
  const { world: needsWorld, operation: needsOperation } = toStrictChecks(rest.strict)
  expect.extend(greenhouseMatchers)
  const unhandled = new UnhandledRequests()
  return base.extend<TestFixtures<Own> & { greenhouseTest: RunningTest }>({
    greenhouse: [
      // oxlint-disable-next-line no-empty-pattern -- Vitest needs the pattern
      async ({}, use) => {
        const bases = { plants, apps }
        const { greenhouse, close } = createWatched(rest, unhandled, bases, environment.create)
        await use(greenhouse)
        close()
      },
      { scope: 'file' },
    ],
    greenhouseHost: [
      async ({ greenhouse }, use) => {
        const host = await environment.open(greenhouse, {
          plants,
          apps,
          server: server as MswServer | undefined,
          answersAll: needsOperation,
        })
        await use(host)
        await host.close()
      },
      // Starts even if the test does not use this fixture, because no request to the client's URLs
      // may reach the network.
      { scope: 'file', auto: hasBases({ plants, apps }) },
    ],
    greenhouseTest: [
      ({ task, onTestFinished }, use) => {
        const running = unhandled.begin(toTestWorldName(task.name, task.id))
        onTestFinished(() => running.end())
        return use(running)
      },
      { auto: needsWorld || needsOperation },
    ],
    world: async ({ greenhouse, task, onTestFailed }, use) => {
      const world = greenhouse.world(toTestWorldName(task.name, task.id))
      world.pinned = true
      let given: Case | undefined
      onTestFailed(({ task: { result } }) => {
        const error = result?.errors?.at(-1)
        const text = describeFailure(world, error, { given })
        if (!addToMessage(error, text)) console.error(text)
      })
      await use(world)
      // The end of a world ends its history, before Vitest reports the failure.
      if (task.result?.state === 'fail') given = world.toCase()
      greenhouse.deleteWorld(world.name)
    },
    api: ({ greenhouseHost, world }, use) => use(toWorldApi(world, greenhouseHost)),
  })
}
