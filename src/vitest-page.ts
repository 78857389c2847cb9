export { createTest, test } from './testing/vitest-page.ts'
