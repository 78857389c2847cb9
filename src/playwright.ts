export { expect, test } from './testing/playwright.ts'
export type { TestFixtures, WorkerFixtures } from './testing/playwright.ts'
export type { BaseUrls } from './adapters/base-urls.ts'
export type { TestHost } from './testing/reach.ts'
export type { StrictChecks, TestGreenhouseOptions } from './testing/strict.ts'
export type { WorldApi } from './testing/test-world.ts'
// The declaration of an exported `expect` names them.
export type {
  ExpectedCall,
  ExpectedCalls,
  GreenhouseMatchers,
  MatcherResult,
  Times,
} from './testing/matchers.ts'
