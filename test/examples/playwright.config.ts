import config from '../../examples/playwright/playwright.config.ts'
import { withoutUnused } from '../browser/chromium.ts'

const { launchOptions } = config.use!

/** As in the example, with more time for a busy machine, and a browser that does less. */
export default {
  ...config,
  timeout: 150_000,
  expect: { timeout: 120_000 },
  use: { ...config.use, launchOptions: { ...launchOptions, args: [...(launchOptions!.args ?? []), withoutUnused] } },
}
