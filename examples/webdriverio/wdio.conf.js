import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

let site

export const config = {
  runner: 'local',
  framework: 'mocha',
  mochaOpts: { timeout: 60_000, require: ['./hooks.js'] },
  reporters: ['spec'],
  logLevel: 'error',
  specs: ['./test/*.js'],
  maxInstances: 2,
  capabilities: [
    {
      browserName: 'chrome',
      // Debian's Chromium and its driver. Leave both out where WebdriverIO may download them.
      'goog:chromeOptions': {
        binary: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--no-first-run',
          '--disable-background-networking',
        ],
      },
      'wdio:chromedriverOptions': { binary: '/usr/bin/chromedriver' },
    },
  ],

  // Use your own development server here.
  onPrepare: async () => {
    const html = readFileSync(new URL('page.html', import.meta.url))
    site = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(html),
    )
    await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
    process.env.SITE_URL = `http://127.0.0.1:${site.address().port}`
  },
  onComplete: () => site.close(),
}
