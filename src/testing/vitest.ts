import { expect, test as base, type TestAPI } from 'vitest'
import { checkOptions, text, type RulesFor } from '../core/definitions/options.ts'
import { greenhouseRules } from '../greenhouse/options.ts'
import { createGreenhouse } from '../greenhouse/create.ts'
import type { Greenhouse, GreenhouseOptions } from '../greenhouse/greenhouse.ts'
import type { ViolationQuery } from '../greenhouse/names.ts'
import type { World } from '../greenhouse/world.ts'
import { greenhouseMatchers } from './matchers.ts'
import { openTestHost, type TestHost } from './test-host.ts'
import { summarizeJournal, toTestWorldName, toWorldApi, type WorldApi } from './test-world.ts'

export type { TestHost } from './test-host.ts'
export type { WorldApi } from './test-world.ts'

declare module 'vitest' {
  interface Matchers<T = any> {
    /** No request that the world was sent breaks the contract. @param query which ones to look at, and rules to ignore. */
    toHaveNoViolations(query?: ViolationQuery): T
  }
}

/** How the tests' Greenhouse starts, and at which base URLs it answers. */
export interface TestOptions extends GreenhouseOptions {
  /** Area A's base URL as the client has it, absolute. With it, or with `apps`, MSW answers there and nothing listens. */
  plants?: string
  /** Area B's base URL as the client has it, with its version, absolute. */
  apps?: string
}

const baseUrl = text('an absolute URL, such as "http://localhost:3000"', (url) => URL.canParse(url))

const rules: RulesFor<TestOptions> = { ...greenhouseRules, plants: baseUrl, apps: baseUrl }

/** What a test can ask for. */
export interface TestFixtures {
  /** This test's own world: named after the test, gone when it ends. */
  world: World
  /** Base URLs and keys that lead a client to this test's world. */
  api: WorldApi
  /** The Greenhouse that a file's tests share. */
  greenhouse: Greenhouse
  /** What answers the file's requests: the base URLs, bound to no world. */
  greenhouseHost: TestHost
}

/**
 * Makes a `test` whose every test has a world of its own, also under `test.concurrent`. Each file has one Greenhouse, behind
 * a server on a free port of 127.0.0.1; with `plants` or `apps` it is MSW that answers, at these base URLs, and needs the
 * peer `msw`. When a test fails, its world's journal is printed. `expect(world).toHaveNoViolations()` works in its tests.
 * @note Vitest 3 takes two of these in one file for one, the first: there, give each a file of its own. The pool `vmThreads`
 * keeps MSW from a test's `fetch`.
 * @throws TypeError or RangeError for an option that is wrong; and, in the first test, what `createGreenhouse` throws.
 */
export function createTest(options: TestOptions = {}): TestAPI<TestFixtures> {
  checkOptions('createTest', options, rules)
  const { plants, apps, ...rest } = options
  expect.extend(greenhouseMatchers)
  return base.extend<TestFixtures>({
    // oxlint-disable-next-line no-empty-pattern -- Vitest wants the pattern
    greenhouse: [({}, use) => use(createGreenhouse(rest)), { scope: 'file' }],
    greenhouseHost: [
      async ({ greenhouse }, use) => {
        const host = await openTestHost(greenhouse, { plants, apps })
        await use(host)
        await host.close()
      },
      { scope: 'file' },
    ],
    world: async ({ greenhouse, task, onTestFailed }, use) => {
      const world = greenhouse.world(toTestWorldName(task.name, task.id))
      world.pinned = true
      onTestFailed(() => console.error(summarizeJournal(world.name, world.journal)))
      await use(world)
      greenhouse.deleteWorld(world.name)
    },
    api: ({ greenhouseHost, world }, use) => use(toWorldApi(world, greenhouseHost)),
  })
}

/** Vitest's `test`, where every test has a world of its own on a server with the default data. */
export const test: TestAPI<TestFixtures> = createTest()
