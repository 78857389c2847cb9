import type { TestAPI } from 'vitest'
import { assertPeer } from '../adapters/peer-version.ts'
import { withCallerStack, keepCallerStack } from '../core/contract/options.ts'
import type { NamesOf, NamingOptions, WrittenScenarios } from '../catalogue/inferred-names.ts'
import type { OwnCollection, Plugin } from '../custom/definitions.ts'
import { extendTest, type TestFixtures, type TestOptions } from './extend-test.ts'
import { mswServerSchema } from './reach.ts'
import { loadTestConfig, openTestHost } from './test-host.ts'

assertPeer('greenhouse-mock/vitest', 'vitest', '3.2', import.meta.url)
const config = await loadTestConfig()

/**
 * Creates a `test` that gives every test its own world, also under `test.concurrent`. Each file has
 * one Greenhouse, with a server on a free port of 127.0.0.1. With `plants` or `apps`, MSW answers
 * at these base URLs instead, which needs `msw`. `greenhouse.config.ts` has the defaults of all
 * options. The error of a failing test lists the requests of its world. A request that names no
 * world fails the test.
 * @example
 * const test = createTest({ apps: 'https://apps.test/v1' })
 * test('shows an error', async ({ world, api }) => {
 *   world.use('server-error')
 *   await expect(listApps(api.appsUrl, api.key('key_pro'))).rejects.toThrow()
 * })
 * @note Vitest 3 confuses two such `test` functions in one file: use one per file.
 * @throws TypeError or RangeError for a wrong option. The first test throws what `createGreenhouse`
 * throws.
 */
export function createTest<
  Scenarios extends WrittenScenarios = {},
  Collections extends readonly OwnCollection[] = [],
  Plugins extends readonly Plugin[] = [],
>(
  options: NamingOptions<Scenarios, Collections, Plugins> &
    TestOptions<NamesOf<NoInfer<Scenarios>, Collections, Plugins>> = {},
): TestAPI<TestFixtures<NamesOf<Scenarios, Collections, Plugins>>> {
  const create = keepCallerStack(createTest)
  return withCallerStack(createTest, () =>
    extendTest(options as TestOptions, {
      open: openTestHost,
      server: mswServerSchema,
      create,
      config,
    }),
  )
}

/** Vitest's `test` with a world for every test, on a server with the default data. */
export const test: TestAPI<TestFixtures> = createTest()
