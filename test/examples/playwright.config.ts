import config from '../../examples/playwright/playwright.config.ts'
import { withoutUnused } from '../browser/chromium.ts'

const { launchOptions } = config.use!

/** The example's configuration, with more time for a busy machine and fewer browser features. */
export default {
  ...config,
  timeout: 150_000,
  expect: { timeout: 120_000 },
  use: {
    ...config.use,
    launchOptions: { ...launchOptions, args: [...(launchOptions!.args ?? []), withoutUnused] },
  },
}
