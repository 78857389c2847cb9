export { createTest, test } from './testing/vitest.ts'
export type { TestOptions, TestFixtures, TestHost, WorldApi } from './testing/vitest.ts'
