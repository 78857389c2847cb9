import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ConsoleMessage, Page } from 'playwright-core'
import { rolldown, type OutputChunk } from 'rolldown'
import { listen } from '../support/listen.ts'
import { sharedBrowser } from './chromium.ts'

/**
 * Bundles a page as a user's bundler would, out of the built package; minified where that is asked
 * for. @throws Error when something cannot be resolved.
 */
export async function bundlePage(
  entry = 'page.ts',
  { minify = false } = {},
): Promise<OutputChunk[]> {
  const warnings: string[] = []
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, import.meta.url)),
    platform: 'browser',
    // Its paths lead to types.
    tsconfig: false,
    onLog: (_level, log) => void warnings.push(log.message),
  })
  const { output } = await bundle.generate({ format: 'esm', minify })
  await bundle.close()
  if (warnings.length > 0)
    throw new Error(`Failed to bundle the page without a warning:\n${warnings.join('\n')}`)
  return output.filter((part) => part.type === 'chunk')
}

export interface PageOptions {
  readonly body?: string
  readonly styles?: string
  readonly policy?: string
  readonly without?: RegExp
}

export interface Site {
  readonly url: string
  readonly asked: string[]
  close(): void
}

export async function serveSite(
  chunks: readonly OutputChunk[],
  { body = '', styles = '', policy, without }: PageOptions = {},
): Promise<Site> {
  const worker = new URL('../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url)
  const entry = chunks.find((chunk) => chunk.isEntry)!
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><script type="module" src="/${entry.fileName}"></script>${body}`
  const scripts = new Map([
    ['/mockServiceWorker.js', readFileSync(worker, 'utf8')],
    ...chunks.map((chunk) => [`/${chunk.fileName}`, chunk.code] as const),
  ])
  const asked: string[] = []
  const { url, close } = await listen((request, response) => {
    asked.push(request.url!)
    if (policy !== undefined) response.setHeader('content-security-policy', policy)
    const script = without?.test(request.url!) ? undefined : scripts.get(request.url!)
    if (script !== undefined)
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
    else if (request.url === '/page.css')
      response.writeHead(200, { 'content-type': 'text/css' }).end(styles)
    else if (request.url === '/')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    else response.writeHead(404).end()
  })
  return { url: `${url}/`, asked, close }
}

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
