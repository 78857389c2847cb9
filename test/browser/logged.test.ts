import { beforeAll, describe, expect, test } from 'vitest'
import { bundlePage } from './bundle.ts'
import { canRun, sharedBrowser } from './chromium.ts'
import { serveSite } from './site.ts'

describe.skipIf(!canRun)('a page whose MSW logs replies', () => {
  let ended: string
  const logged: string[] = []
  const complaints: string[] = []

  beforeAll(async () => {
    const site = await serveSite(await bundlePage('logged-page.ts'))
    const page = await (await sharedBrowser()).newPage()
    try {
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => logged.push(message.text()))
      await page.goto(site.url, { waitUntil: 'load' })
      ended = await page.evaluate(() => globalThis.breakStreamInPage())
    } finally {
      await page.close()
      site.close()
    }
  })

  test('sees a stream break off, and nothing else goes wrong', () => {
    expect(ended).toBe('200 TypeError')
    expect(complaints).toEqual([])
  })

  test('logs also the reply that broke off', () => {
    expect(logged.filter((text) => text.includes('/messages'))).toHaveLength(1)
  })
})
