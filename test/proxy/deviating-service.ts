import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

type Plant = Record<string, unknown>

/**
 * A service of plants that deviates from the mock in twelve ways: newest first, 201 and 202, errors
 * of its own shape, headers of a server in front, its own path, cookies, gzip, numbers beyond a
 * double, bytes, pieces, large bodies, and keys that it alone knows.
 */
export function createDeviatingService(keys: readonly string[]): RequestListener {
  const plants: Plant[] = [1, 2, 3].map((id) => ({
    id,
    name: `First ${id}`,
    note: 'ünïcödé ${others} # \'"\u2028',
  }))
  let count = 0
  return (request, response) => {
    void read(request).then((body) => {
      count++
      for (const name of ['server', 'x-cache', 'x-served-by', 'x-frame-options', 'x-request-cost'])
        response.setHeader(
          name,
          name === 'x-cache' ? ['MISS', `HIT, ${count}`] : `of the front ${count}`,
        )
      response.setHeader('set-cookie', ['theme=dark; Path=/', `visits=${count}; Path=/`])
      const key = request.headers.authorization?.replace('Bearer ', '')
      if (key === undefined || !keys.includes(key))
        return send(response, 403, { errors: [{ title: 'Who are you?', count }] })
      answer(request, response, body)
    })
  }

  function answer(
    { method, url = '' }: IncomingMessage,
    response: ServerResponse,
    body: string,
  ): void {
    const { pathname, searchParams } = new URL(url, 'http://service.test')
    const id = pathname.split('/')[2]
    switch (`${method} ${id === undefined ? pathname : '/plants/id'}`) {
      case 'GET /plants': {
        const shown = plants.toReversed().slice(0, Number(searchParams.get('limit') ?? 100))
        return searchParams.has('zip') ? sendZipped(response, shown) : send(response, 200, shown)
      }
      case 'POST /plants': {
        const plant = JSON.parse(body) as Plant
        plants.push(plant)
        return send(response, 201, { ...plant, created: plants.length })
      }
      case 'DELETE /plants/id': {
        const at = plants.findIndex((plant) => String(plant['id']) === id)
        if (at < 0) return send(response, 410, { errors: [{ title: 'Gone', id }] })
        plants.splice(at, 1)
        return void response.writeHead(202).end()
      }
      case 'GET /stats':
        response.setHeader('content-type', 'application/vnd.stats+json')
        return void response.end(
          `{"count": ${plants.length},\n "huge": 1e400, "exact": 12345678901234567890123}`,
        )
      case 'GET /photo':
        return void response
          .writeHead(200, 'Fine', { 'content-type': 'image/png' })
          .end(Buffer.from([0, 255, count % 256]))
      case 'GET /export':
        return void response.end('a line of the export\n'.repeat(2_000))
      case 'GET /stream':
        response.writeHead(200, { 'content-type': 'text/plain' })
        response.write(`first ${count}\n`)
        return void setImmediate(() => response.end('second'))
      default:
        return send(response, 404, { errors: [{ title: `No ${method} here` }] })
    }
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += String(part)
  return body
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(value, null, 1))
}

function sendZipped(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  response.end(gzipSync(JSON.stringify(value)))
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly body?: string
}

/** Returns the same mixed requests for the same seed. */
export function mixRequests(count: number, keys: readonly string[], seed = 1): Asked[] {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % limit
  }
  return Array.from({ length: count }, (): Asked => {
    const key = below(12) === 0 ? undefined : keys[below(keys.length)]!
    const id = below(20)
    const bare: Asked[] = [
      { method: 'GET', path: '/plants' },
      { method: 'GET', path: `/plants?limit=${below(4)}` },
      { method: 'GET', path: '/plants?zip=1&limit=2' },
      { method: 'POST', path: '/plants', body: JSON.stringify({ id, name: `Plant ${below(5)}` }) },
      { method: 'POST', path: '/plants', body: JSON.stringify({ name: 'Fern', id: 7 }) },
      { method: 'DELETE', path: `/plants/${id}` },
      { method: 'GET', path: '/stats' },
      { method: 'GET', path: '/photo' },
      { method: 'GET', path: '/export' },
      { method: 'GET', path: '/stream' },
      { method: 'HEAD', path: '/plants' },
      { method: 'PATCH', path: '/nowhere', body: 'no JSON' },
    ]
    const asked = bare[below(bare.length)]!
    return key === undefined ? asked : { ...asked, key }
  })
}

/** Sends requests one by one, and returns what a client sees of the replies. */
export async function replay(
  url: string,
  asked: readonly Asked[],
  more: Record<string, string> = {},
) {
  const seen: { status: number; body: string; headers: [string, string][] }[] = []
  for (const { method, path, key, body } of asked) {
    const headers: Record<string, string> = { ...more }
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    seen.push({
      status: response.status,
      body: bytes.toString('latin1'),
      headers: [...response.headers],
    })
  }
  return seen
}
