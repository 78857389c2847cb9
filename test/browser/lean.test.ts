import { beforeAll, describe, expect, test } from 'vitest'
import { bundlePage } from './bundle.ts'
import { canRun, sharedBrowser } from './chromium.ts'
import { serveSite } from './site.ts'

describe.skipIf(!canRun)('a page with the plants alone', () => {
  let replies: { status: number; body: string }[]
  const complaints: string[] = []

  beforeAll(async () => {
    const site = await serveSite(await bundlePage('lean-page.ts', { minify: true }))
    const page = await (await sharedBrowser()).newPage()
    try {
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(site.url, { waitUntil: 'load' })
      replies = await page.evaluate(() => globalThis.askInPage())
    } finally {
      await page.close()
      site.close()
    }
  })

  test('is answered as by the whole of Greenhouse', () => {
    expect(replies).toEqual([
      { status: 200, body: '{"name":"Fern"}' },
      { status: 400, body: '{"error":400,"message":"name is required."}' },
      { status: 200, body: '[{"name":"Fern"}]' },
      { status: 204, body: '' },
      { status: 401, body: expect.stringContaining('"error":401') },
    ])
  })

  test('nothing goes wrong in the page', () => {
    expect(complaints).toEqual([])
  })
})
