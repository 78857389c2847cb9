import { fileURLToPath } from 'node:url'
import config from '../../examples/playwright/playwright.config.ts'

/** The example as it is, with more time for a busy machine. */
export default {
  ...config,
  testDir: fileURLToPath(new URL('../../examples/playwright', import.meta.url)),
  timeout: 150_000,
  expect: { timeout: 120_000 },
}
