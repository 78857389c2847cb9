import type { OutputChunk } from 'rolldown'
import type { ConsoleMessage, Page } from 'playwright-core'
import { sharedBrowser } from './chromium.ts'
import { serveSite } from './site.ts'

export async function runPage<T>(chunks: readonly OutputChunk[], use: (page: Page) => Promise<T>) {
  const errors: string[] = []
  const messages: string[] = []
  const site = await serveSite(chunks)
  const page = await (await sharedBrowser()).newPage()
  try {
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message: ConsoleMessage) => messages.push(message.text()))
    await page.goto(site.url, { waitUntil: 'load' })
    return { result: await use(page), errors, messages }
  } finally {
    await page.close()
    site.close()
  }
}
