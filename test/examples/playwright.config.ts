import config from '../../examples/playwright/playwright.config.ts'

/** As in the example, with more time for a busy machine. */
export default { ...config, timeout: 150_000, expect: { timeout: 120_000 } }
