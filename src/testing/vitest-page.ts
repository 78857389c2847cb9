import type { TestAPI } from 'vitest'
import { withCallerStack, keepCallerStack } from '../core/contract/options.ts'
import { extendTest, type TestFixtures, type TestOptions } from './extend-test.ts'
import { mswWorkerRule } from './msw-server.ts'
import { openPageHost } from './page-host.ts'

/**
 * `createTest` for Vitest's browser mode, where MSW's worker answers at `plants` and `apps`. @throws the same as in
 * Node.
 */
export function createTest(options: TestOptions = {}): TestAPI<TestFixtures> {
  const create = keepCallerStack(createTest)
  return withCallerStack(createTest, () => extendTest(options, { open: openPageHost, server: mswWorkerRule, create }))
}

/** Fails in a page when a test uses it: it has no base URLs, and a page has no server. */
export const test: TestAPI<TestFixtures> = createTest()
