import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  webServer: {
    command: 'npx greenhouse-mock serve',
    url: 'http://127.0.0.1:4010/__greenhouse/health',
    reuseExistingServer: !process.env['CI'],
  },
})
