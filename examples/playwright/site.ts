import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from 'greenhouse-mock/playwright'

const html = readFileSync(new URL('page.html', import.meta.url), 'utf8')

/**
 * Greenhouse's `test`, and a site with the page: the stand-in for an application's own development
 * server.
 */
export const test = base.extend<object, { site: string }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
    async ({}, use) => {
      const server = createServer((_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(html),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
})
