import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { toControlError } from '../core/errors.ts'
import { splitTarget } from '../core/request.ts'
import type { First } from './node.ts'

/** What is used of msw; it is the same in its versions 2 and 3. */
interface Msw {
  getResponse(handlers: readonly unknown[], request: Request, context: { baseUrl: string }): Promise<Response | undefined>
}

/**
 * Loads a module's MSW handlers, its export `handlers` or its default export, as what answers requests before Greenhouse does.
 * @throws Error when the file, its handlers or msw can't be loaded.
 */
export async function loadHandlers(file: string): Promise<First> {
  const path = resolve(file)
  const handlers = await importHandlers(file, path)
  const { getResponse } = await importMsw(path)
  return async (request, response, target, body) => {
    const asked = toRequest(request, target, body)
    if (!asked) return false
    let reply: Response | undefined
    try {
      reply = await getResponse(handlers, asked, { baseUrl: new URL(asked.url).origin })
    } catch (error) {
      if (error instanceof Response) reply = error
      else {
        console.error(`A handler of ${file} failed to answer ${request.method} ${splitTarget(target)[0]}:`, error)
        const text = JSON.stringify(toControlError('handler_failed', `A handler of ${file} failed: ${error instanceof Error ? error.message : String(error)}`))
        response.writeHead(500, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
        return true
      }
    }
    if (!reply || reply.headers.get('x-msw-intention') === 'passthrough') return false
    await send(reply, request, response).catch(() => request.socket.destroy())
    return true
  }
}

async function importHandlers(file: string, path: string): Promise<unknown[]> {
  let module: { handlers?: unknown; default?: unknown }
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module
  } catch (cause) {
    throw new Error(`Failed to load the handlers of ${file}: ${(cause as Error).message}`, { cause })
  }
  const handlers = module.handlers ?? module.default
  if (!Array.isArray(handlers)) throw new Error(`Failed to load the handlers of ${file}: it exports no array, neither as "handlers" nor as default.`)
  const wrong = handlers.findIndex((handler: { run?: unknown } | null) => typeof handler?.run !== 'function')
  if (wrong >= 0) throw new Error(`Failed to load the handlers of ${file}: item ${wrong} is no MSW handler.`)
  return handlers.filter(({ kind }: { kind?: string }) => kind !== 'websocket')
}

/** The msw that the handlers were made with: another major version could not run them. */
async function importMsw(path: string): Promise<Msw> {
  for (const from of [path, import.meta.url])
    try {
      return (await import(pathToFileURL(createRequire(from).resolve('msw')).href)) as Msw
    } catch (error) {
      if (!/^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error
    }
  throw new Error('Failed to run handlers: msw was not found. Install it where they are: npm i -D msw')
}

/** `undefined` for what never reaches handlers: what fetch has no request for, bodies beyond the limit, and what a handler itself let through. */
function toRequest({ method, headers, socket }: IncomingMessage, target: string, body: Uint8Array | 'too-large' | null): Request | undefined {
  if (body === 'too-large' || method === 'TRACE' || method === 'CONNECT' || headers.accept?.includes('msw/passthrough')) return undefined
  const world = /^\/~([^/?]+)/.exec(target)
  const path = world ? target.slice(world[0].length) : target
  try {
    const url = path.startsWith('/') ? `http://${headers.host ?? `localhost:${socket.localPort}`}${path}` : path
    const sent = new Headers()
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
    if (world) sent.set('X-Greenhouse-World', world[1]!)
    return new Request(url, { method, headers: sent, ...(body && method !== 'GET' && method !== 'HEAD' && { body: body as Uint8Array<ArrayBuffer> }) })
  } catch {
    return undefined
  }
}

const ofTheConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'set-cookie'])

async function send(reply: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (reply.type === 'error') {
    request.socket.destroy()
    return
  }
  for (const [name, value] of reply.headers) if (!ofTheConnection.has(name)) response.setHeader(name, value)
  const cookies = reply.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
  response.writeHead(reply.status, reply.statusText || undefined)
  if (reply.body && request.method !== 'HEAD') await pipeline(Readable.fromWeb(reply.body as never), response).catch(() => request.socket.destroy())
  else response.end()
}
