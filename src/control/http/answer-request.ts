import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { splitTarget } from '../../core/http/request.ts'
import { quote } from '../../core/text/messages.ts'
import { originOf } from '../../node-http/http-server.ts'
import { hasBody, readBody } from '../../node-http/body.ts'
import { answerCall } from '../answer-call.ts'
import { ControlError, invalid } from '../call.ts'
import { requestPath, redirectToPanel, sendAnswer, type Streams } from './send.ts'
import type { Texts } from '../../core/text/values.ts'

/**
 * The smallest body limit of a control call, in bytes. If the service has a larger one, that
 * applies here too.
 */
const bodyLimit = 2 ** 20

const parseYaml = async (file: string, text: string) =>
  (await import('../../files/yaml.ts')).parseYaml(file, text)

/**
 * Answers an allowed call over HTTP. @throws ControlError for one stream too many; nothing was sent
 * then.
 */
export async function answerRequest(
  greenhouse: Greenhouse,
  streams: Streams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  const [path, query] = splitTarget(url.slice('/__greenhouse'.length).replace(/#.*/s, ''))
  const readText = () => readBodyText(request, Math.max(bodyLimit, greenhouse.bodyLimit))
  const origin = originOf(request)
  const ending = new AbortController()
  const end = () => ending.abort()
  response.on('close', end)
  const { signal } = ending
  const answer = await answerCall(greenhouse, {
    method,
    path,
    query,
    readText,
    origin,
    signal,
    parseYaml,
  })
  if (typeof answer.body === 'object') streams.add(response, end)
  await sendAnswer(response, answer)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export async function readBodyText(request: IncomingMessage, limit: number): Promise<string> {
  const bytes = hasBody(request) ? await readBody(request, limit) : new Uint8Array()
  if (bytes === 'too-large')
    throw new ControlError(413, 'payload_too_large', `The body is larger than ${limit} bytes.`)
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/**
 * The page's policy: the page may run, show and call only what this server has. No page may frame
 * it.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const types: Texts = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

interface PanelFile {
  readonly bytes: Uint8Array
  readonly etag: string | undefined
  readonly headers: Texts
}

export type SendPanel = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export function createPanelFiles(find: () => Promise<URL> = findFolder): SendPanel {
  let loading: Promise<ReadonlyMap<string, PanelFile>> | undefined
  const fail = (error: unknown) => {
    // The next request tries again.
    loading = undefined
    const code = (error as NodeJS.ErrnoException).code ?? String(error)
    throw new ControlError(
      503,
      'unavailable',
      `The files of the panel could not be read (${code}). If Greenhouse runs from its sources, build it first: npm run build.`,
    )
  }
  return async (request, response) => {
    const path = requestPath(request)
    if (path === '/__greenhouse') return redirectToPanel(response)
    const name =
      path === '/__greenhouse/' ? 'index.html' : path.slice('/__greenhouse/panel/'.length)
    const file = (await (loading ??= find().then(loadFiles).catch(fail))).get(name)
    if (!file) throw new ControlError(404, 'not_found', `The panel has no file ${quote(name)}.`)
    const { bytes, etag, headers } = file
    response.setHeaders(new Map(Object.entries(headers)))
    if (etag !== undefined) response.setHeader('ETag', etag)
    if (etag !== undefined && request.headers['if-none-match'] === etag)
      return void response.writeHead(304).end()
    response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
  }
}

async function loadFiles(folder: URL): Promise<ReadonlyMap<string, PanelFile>> {
  const files = new Map<string, PanelFile>()
  for (const name of await readdir(folder)) {
    const type = types[extname(name)]
    if (type !== undefined)
      files.set(name, toFile(name, type, await readFile(new URL(name, folder))))
  }
  return files
}

async function findFolder(): Promise<URL> {
  const here = import.meta.url
  if (here.endsWith('/src/control/http/answer-request.ts'))
    return new URL('../../../dist/panel/', here)
  const ownFolder = new URL('./panel/', here)
  return readdir(ownFolder).then(
    () => ownFolder,
    () => new URL('../panel/', here),
  )
}

function toFile(name: string, type: string, bytes: Uint8Array): PanelFile {
  const digest = process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(bytes)
    .digest('base64url')
  const etag = name === 'index.html' ? undefined : `"${digest.slice(0, 22)}"`
  return {
    bytes,
    etag,
    headers: {
      'Content-Type': type,
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': etag === undefined ? 'no-store' : 'no-cache',
    },
  }
}
