import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from 'greenhouse-mock/playwright'

/** Greenhouse's `test` and an application's own server, which remembers what it was asked for. */
export const test = base.extend<{ site: { url: string; asked: string[] } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants the pattern
  site: async ({}, use) => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(
        `${request.method} ${request.url} ${request.headers['x-greenhouse-world'] ?? 'without a world'}`,
      )
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<link rel="icon" href="data:,">')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked })
    server.closeAllConnections()
    server.close()
  },
})

export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly trace: string | null
  readonly limit: string | null
  readonly text: string
}

export interface Asked {
  readonly url: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Runs in the page: a request as a program of it sends one. */
export async function ask({ url, headers: more, ...init }: Asked): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    headers: { authorization: 'Bearer key_pro', ...more },
  })
  const { headers, status } = response
  return {
    status,
    type: headers.get('content-type'),
    trace: headers.get('x-greenhouse'),
    limit: headers.get('x-ratelimit-limit'),
    text: await response.text(),
  }
}
