export { createTest, test } from './testing/vitest.ts'
export type {
  MswServer,
  MswWorker,
  StrictChecks,
  TestFixtures,
  TestGreenhouseOptions,
  TestHost,
  TestOptions,
  WorldApi,
} from './testing/extend-test.ts'
