import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { OutputChunk } from 'rolldown'

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
  const worker = readFileSync(
    fileURLToPath(new URL('../../node_modules/msw/lib/mockServiceWorker.js', import.meta.url)),
    'utf8',
  )
  const entry = chunks.find((chunk) => chunk.isEntry)!
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><script type="module" src="/${entry.fileName}"></script>${body}`
  const scripts = new Map([
    ['/mockServiceWorker.js', worker],
    ...chunks.map((chunk) => [`/${chunk.fileName}`, chunk.code] as const),
  ])
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (policy !== undefined) response.setHeader('content-security-policy', policy)
    const script = without?.test(request.url!) ? undefined : scripts.get(request.url!)
    if (script !== undefined) response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script)
    else if (request.url === '/page.css') response.writeHead(200, { 'content-type': 'text/css' }).end(styles)
    else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, close }
}
