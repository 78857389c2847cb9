export { expect, test } from './testing/playwright.ts'
export type {
  BaseUrls,
  StrictChecks,
  TestFixtures,
  TestGreenhouseOptions,
  TestHost,
  WorkerFixtures,
  WorldApi,
} from './testing/playwright.ts'
// The declaration of an exported `expect` names them.
export type { ExpectedCall, ExpectedCalls, GreenhouseMatchers, MatcherResult, Times } from './testing/matchers.ts'
