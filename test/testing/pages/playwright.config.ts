import config from '../../examples/playwright.config.ts'

export default {
  ...config,
  testDir: '.',
  testMatch: '*.page.ts',
  outputDir: 'test-results',
  reporter: 'json',
  workers: 1,
}
