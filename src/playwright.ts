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
