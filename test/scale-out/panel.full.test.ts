import { expect } from 'vitest'
import { canRun } from '../browser/chromium.ts'
import { createSharedPage } from '../browser/shared-page.ts'
import { addPages, answersIn, shows } from '../panel/pages.ts'
import { startProxied, testBehind } from './proxied.ts'

const takePage = createSharedPage({})

testBehind(
  canRun ? ['haproxy'] : [],
  'seven pages of the panel need a stream for each process at most',
  async (proxy) => {
    const { url } = await startProxied(proxy)
    const page = await takePage()
    const streams = new Set<object>()
    const context = page.context()
    context.on('request', (request) => request.url().includes('/events') && streams.add(request))
    context.on('requestfailed', (request) => streams.delete(request))
    context.on('requestfinished', (request) => streams.delete(request))
    const worlds = Array.from({ length: 7 }, (_, index) => `w${index}`)
    await page.goto(`${url}/__greenhouse/#/traffic?world=w0`)
    await page.getByText('live', { exact: true }).waitFor()
    const pages = [page, ...(await addPages(page, 6, (index) => `#/traffic?world=w${index + 1}`))]
    await expect.poll(() => streams.size).toBeLessThanOrEqual(4)
    for (const one of pages) expect(await answersIn(one)).toEqual([200, 200])
    const headers = { authorization: 'Bearer key_pro' }
    for (const world of worlds) expect((await fetch(`${url}/~${world}/plants?limit=7`, { headers })).status).toBe(200)
    for (const one of pages) await shows(one, 'limit=7')
    // Others read instead of those that are closed.
    for (const one of pages.splice(3)) await one.close()
    for (const world of worlds) await fetch(`${url}/~${world}/plants?limit=8`, { headers })
    for (const one of pages) await shows(one, 'limit=8')
    expect(streams.size).toBeGreaterThan(0)
  },
)
