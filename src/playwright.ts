export { expect, test } from './testing/playwright.ts'
export type { TestFixtures, WorkerFixtures, TestHost, WorldApi } from './testing/playwright.ts'
