import { codedError } from '../core/text/error-codes.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toControlError, toReason } from '../core/contract/errors.ts'
import { headerText, splitTarget } from '../core/http/request.ts'
import { nextTurn } from '../core/time/system-time.ts'
import { originOf } from '../node-http/http-server.ts'
import { toPrintable } from '../node-http/printable.ts'
import { toVisibleLines } from '../core/text/messages.ts'
import type { Arrived, BeforeHandler } from '../node-http/listener.ts'
import { drained } from '../node-http/watch-connection.ts'
import { assertPeer } from './peer-version.ts'

type AddCors = Arrived['addCors']

interface Msw {
  getResponse(
    handlers: readonly unknown[],
    request: Request,
    context: { baseUrl: string },
  ): Promise<unknown>
}

export async function loadHandlers(
  file: string,
  log: (text: string) => void,
  given?: readonly unknown[],
): Promise<BeforeHandler> {
  const path = resolve(file)
  const handlers = checkHandlers(file, given ?? (await importHandlers(file, path)))
  const { getResponse } = await importMsw(path)
  return async ({ request, response, target, body, addCors }) => {
    const webRequest = toRequest(request, target, body)
    if (!webRequest) return false
    try {
      const { origin } = new URL(webRequest.url)
      const reply = await getResponse(handlers, webRequest, { baseUrl: origin }).catch(
        (thrown: unknown) => {
          if (isResponse(thrown)) return thrown
          throw thrown
        },
      )
      if (reply === undefined || reply === null) return false
      if (!isResponse(reply))
        throw new TypeError(
          `It returned ${nameOfKind(reply)}, not a Response. Return one, such as HttpResponse.json(…).`,
        )
      if (reply.headers.get('x-msw-intention') === 'passthrough') return false
      await sendResponse(reply, response, addCors)
    } catch (error) {
      const what = `A handler of ${file} failed to answer ${request.method} ${splitTarget(target)[0]}: `
      log(`${toVisibleLines(what)}${toPrintable(error)}\n`)
      const reason = `A handler of ${file} failed: ${toReason(error).slice(0, longestFailure)}`
      sendHandlerFailure(response, reason, addCors)
      return reason
    }
    return true
  }
}

const longestFailure = 1_000

function isResponse(value: unknown): value is Response {
  try {
    // A Response of another library counts, too.
    return (
      typeof value === 'object' && Object.prototype.toString.call(value) === '[object Response]'
    )
  } catch {
    // A revoked proxy.
    return false
  }
}

function nameOfKind(value: unknown): string {
  if (typeof value === 'object') return 'an object'
  return `a ${typeof value}`
}

function sendHandlerFailure(response: ServerResponse, message: string, addCors: AddCors): void {
  if (response.headersSent || response.destroyed) return void response.req.socket.destroy()
  for (const name of response.getHeaderNames())
    if (name !== 'connection') response.removeHeader(name)
  const text = JSON.stringify(toControlError('handler_failed', message))
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
  }
  addCors(headers)
  response.writeHead(500, 'Internal Server Error', headers).end(text)
}

async function importHandlers(file: string, path: string): Promise<unknown> {
  try {
    const { handlers, default: all } = (await importAll(path)) as {
      handlers?: unknown
      default?: unknown
    }
    return handlers ?? all
  } catch (cause) {
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Failed to load the handlers of ${file}: ${(cause as Error).message}`,
      {
        cause,
      },
    )
  }
}

/**
 * Returns the exports of a module. Those of CommonJS lack names that Node does not see in the code,
 * all under Yarn's PnP.
 */
async function importAll(path: string): Promise<object> {
  const module = (await import(pathToFileURL(path).href)) as { readonly default?: object }
  return { ...module.default, ...module }
}

function checkHandlers(file: string, handlers: unknown): unknown[] {
  if (!Array.isArray(handlers))
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Failed to load the handlers of ${file}: it must export an array of MSW handlers, as "handlers" or as its default export.`,
    )
  const wrong = handlers.findIndex(
    (handler: { run?: unknown } | null) => typeof handler?.run !== 'function',
  )
  if (wrong >= 0)
    throw codedError(
      'GREENHOUSE_INVALID_FILE',
      `Failed to load the handlers of ${file}: item ${wrong} is not an MSW handler.`,
    )
  return handlers.filter(({ kind }: { kind?: string }) => kind !== 'websocket')
}

// Another major version of msw could not run the handlers.
async function importMsw(path: string): Promise<Msw> {
  for (const from of [path, import.meta.url])
    try {
      assertPeer('--handlers', 'msw', '2.11', from)
      return (await importAll(createRequire(from).resolve('msw'))) as Msw
    } catch (error) {
      if (!String((error as NodeJS.ErrnoException).code).endsWith('MODULE_NOT_FOUND')) throw error
    }
  throw codedError(
    'GREENHOUSE_UNSUPPORTED_HOST',
    'Failed to run handlers: msw was not found. Install it next to them: npm i -D msw',
  )
}

/**
 * Returns a Request; `undefined` for requests that handlers never get: those that a Request cannot
 * express, those with a body over the limit, and those that a handler sends with `bypass`.
 */
function toRequest(
  message: IncomingMessage,
  target: string,
  body: Uint8Array | 'too-large' | null,
): Request | undefined {
  const { method, headers } = message
  if (body === 'too-large' || headers.accept?.includes('msw/passthrough')) return undefined
  const [prefix = '', world] = /^\/~([^/?]+)/.exec(target) ?? []
  const path = target.slice(prefix.length)
  try {
    const url = path.startsWith('/') ? originOf(message) + path : path
    const sent = new Headers()
    for (const name in headers) sent.set(name, headerText(headers, name)!)
    if (world) sent.set('X-Greenhouse-World', world)
    const init: RequestInit = {
      method,
      headers: sent,
    }
    if (body && method !== 'GET' && method !== 'HEAD') init.body = body as Uint8Array<ArrayBuffer>
    return new Request(url, init)
  } catch {
    return undefined
  }
}

const connectionHeaders = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'set-cookie',
])

async function sendResponse(
  reply: Response,
  response: ServerResponse,
  addCors: AddCors,
): Promise<void> {
  if (reply.type === 'error') return void response.req.socket.destroy()
  const { status, statusText, headers, body } = reply
  if (!(Number.isInteger(status) && status >= 200 && status <= 999))
    throw new RangeError(`It returned a Response with the status ${status}: expected 200 to 999.`)
  if (reply.bodyUsed || body?.locked)
    throw new TypeError('It returned a Response whose body was already read. Return a clone of it.')
  const sent = Object.fromEntries(
    Array.from(headers).filter(([name]) => !connectionHeaders.has(name.toLowerCase())),
  )
  addCors(sent)
  for (const [name, value] of Object.entries(sent)) response.setHeader(name, value)
  response.setHeader('Set-Cookie', headers.getSetCookie?.() ?? [])
  const start = () => response.writeHead(status, statusText || undefined)
  if (body && response.req.method !== 'HEAD') return sendChunks(body.getReader(), response, start)
  body?.cancel().catch(() => undefined)
  start().end()
}

/**
 * Streams a body. Sends the headers one turn of the event loop after the first read: a failure
 * before that becomes a 500, a later one cuts the reply.
 */
async function sendChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: ServerResponse,
  start: () => void,
): Promise<void> {
  const leave = () => reader.cancel().catch(() => undefined)
  // Stops reading when the client is gone, and ignores later write errors.
  response.on('error', leave).on('close', leave)
  try {
    const first = reader.read()
    await Promise.race([first, nextTurn()])
    start()
    for (let read = await first; !read.done && !response.destroyed; read = await reader.read())
      if (!response.write(read.value)) await drained(response)
    if (!response.destroyed) response.end()
  } catch (error) {
    void leave()
    throw error
  }
}
