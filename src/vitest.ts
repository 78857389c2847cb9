export { createTest, test } from './testing/vitest.ts'
export type {
  MswServer,
  StrictChecks,
  TestFixtures,
  TestGreenhouseOptions,
  TestHost,
  TestOptions,
  WorldApi,
} from './testing/vitest.ts'
