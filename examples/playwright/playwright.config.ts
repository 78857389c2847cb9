import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  fullyParallel: true,
  reporter: 'list',
  use: {
    serviceWorkers: 'block',
    // Debian's Chromium; leave `launchOptions` out where `npx playwright install` has been run.
    launchOptions: {
      executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
