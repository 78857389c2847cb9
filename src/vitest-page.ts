export { expect } from 'vitest'
export { createTest, test } from './testing/vitest-page.ts'
