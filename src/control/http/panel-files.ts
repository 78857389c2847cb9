import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { quote } from '../../core/text/messages.ts'
import { ControlError } from '../errors.ts'
import { redirectToPanel } from './send.ts'

const hashedEnd = '-KMYJEKUt.js'.length

interface PanelFile {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** The page's policy: the page may run, show and call only what this server has. No page may frame it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
}

export type SendPanel = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createPanelFiles(find: () => Promise<URL> = findFolder): SendPanel {
  let loading: Promise<ReadonlyMap<string, PanelFile>> | undefined
  const forget = (error: unknown): never => {
    // The next request tries again.
    loading = undefined
    throw toLoadError(error)
  }
  return async (request, response) => {
    const [path] = request.url!.split(/[?#]/, 1) as [string]
    if (path === '/__greenhouse') return redirectToPanel(response)
    const name = path === '/__greenhouse/' ? 'index.html' : path.slice('/__greenhouse/panel/'.length)
    const files = await (loading ??= find().then(loadFiles).catch(forget))
    const file = files.get(name)
    if (!file) throw new ControlError(404, 'not_found', `The panel has no file ${quote(name)}.`)
    send(file, request, response)
  }
}

function send({ bytes, headers }: PanelFile, request: IncomingMessage, response: ServerResponse): void {
  for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
  if (headers['ETag'] !== undefined && request.headers['if-none-match'] === headers['ETag'])
    return void response.writeHead(304).end()
  response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
}

function toLoadError(error: unknown): ControlError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error)
  return new ControlError(
    503,
    'unavailable',
    `The files of the panel could not be read (${code}). If Greenhouse runs from its sources, build it first: npm run build.`,
  )
}

async function loadFiles(folder: URL): Promise<ReadonlyMap<string, PanelFile>> {
  const names = (await readdir(folder)).filter((name) => types[extname(name)] !== undefined)
  const files = names.map(async (name) => [name, toFile(name, await readFile(new URL(name, folder)))] as const)
  return new Map(await Promise.all(files))
}

async function findFolder(): Promise<URL> {
  const here = import.meta.url
  if (here.endsWith('/src/control/http/panel-files.ts')) return new URL('../../../dist/panel/', here)
  const ownFolder = new URL('./panel/', here)
  return readdir(ownFolder).then(
    () => ownFolder,
    () => new URL('../panel/', here),
  )
}

function toFile(name: string, bytes: Uint8Array): PanelFile {
  const isPage = name === 'index.html'
  // A file with a hash in its name never changes.
  const isNamedByContent = name.endsWith('.js') && name.at(-hashedEnd) === '-'
  return {
    bytes,
    headers: {
      'Content-Type': types[extname(name)]!,
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': isPage ? 'no-store' : isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(!isPage && { ETag: `"${digest(bytes)}"` }),
    },
  }
}

function digest(bytes: Uint8Array): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
}
