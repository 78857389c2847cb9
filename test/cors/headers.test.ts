import { createMiddleware } from 'greenhouse-mock/express'
import { createGreenhouse } from 'greenhouse-mock'
import { serve } from 'greenhouse-mock/server'
import { afterAll, expect, test } from 'vitest'
import { listen } from '../support/listen.ts'
import { ask, key } from '../support/socket.ts'
import { type CallOptions, open, start } from '../support/test-api.ts'

const page = 'https://app.example'
const delivery = '/v1/webhooks/wh_bcjl342gumzojejh/deliveries/del_6qkvzntevx73h7m2'

const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map((close) => close())))

/** Servers that allow no page, one page and all pages. */
async function openServers(isHostChecked: boolean): Promise<number[]> {
  const ports: number[] = []
  for (const cors of [[], [page], ['*']]) {
    const greenhouse = createGreenhouse({ now: start, cors })
    const server = isHostChecked
      ? await serve(greenhouse, { allowHosts: ['own.example'] })
      : await listen((request, response) =>
          createMiddleware(greenhouse)(request, response, () => response.end()),
        )
    closing.push(() => server.close())
    ports.push(server.port)
  }
  return ports
}

/** How a server treats a request: only programs and its own pages see what webhooks answered. */
async function treat(port: number, headers: readonly string[]): Promise<string> {
  const { status, text } = await ask(port, `GET ${delivery}`, [key, ...headers])
  if (status === 403) return 'foreign'
  return JSON.parse(text).attempts[0].response === null ? 'allowed' : 'own'
}

/** The servers of all rows: those that check the Host, and those that do not. */
const opened = new Map<boolean, Promise<number[]>>()

test.each<[sent: string, isHostChecked: boolean, treated: string]>([
  ['', true, 'own own own'],
  ['Sec-Fetch-Site: same-origin', true, 'own own own'],
  ['Sec-Fetch-Site: none', true, 'own own own'],
  ['Sec-Fetch-Site: cross-site', true, 'foreign foreign allowed'],
  [`Origin: ${page}`, true, 'foreign allowed allowed'],
  [`Origin: ${page}, Sec-Fetch-Site: same-origin`, true, 'own own own'],
  ['Origin: http://localhost:5173, Sec-Fetch-Site: cross-site', true, 'own own own'],
  ['Origin: null', true, 'foreign foreign allowed'],
  ['Origin: https://other.example', true, 'foreign foreign allowed'],
  ['Origin: HTTPS://Own.example:1, Host: OWN.example:1', true, 'own own own'],
  ['Origin: http://own.example, Host: own.example', true, 'own own own'],
  ['Origin: http://own.example, Host: own.example', false, 'foreign foreign allowed'],
  ['Origin: ftp://own.example, Host: own.example', true, 'foreign foreign allowed'],
  ['Origin: http://own.example, Host: own.example:80', true, 'foreign foreign allowed'],
])(
  'who sends "%s" is told apart (the Host is checked: %s)',
  async (sent, isHostChecked, treated) => {
    if (!opened.has(isHostChecked)) opened.set(isHostChecked, openServers(isHostChecked))
    const ports = await opened.get(isHostChecked)!
    const headers = sent.split(', ').filter(Boolean)
    const found: string[] = []
    for (const port of ports) found.push(await treat(port, headers))
    expect(found.join(' ')).toBe(treated)
  },
)

const fromPage = { origin: page }

/** Asks for what a stub answers with these headers. Returns those that pages care about. */
async function read(
  stubbed: Record<string, string>,
  { headers = fromPage, cors = [page] }: { headers?: CallOptions['headers']; cors?: string[] } = {},
) {
  const { call, world } = open({ cors })
  world.use({ respond: [{ status: 200, body: {}, headers: stubbed }] })
  const reply = await call('GET', '/plants', { headers })
  return {
    vary: reply.headers.get('vary'),
    origin: reply.headers.get('access-control-allow-origin'),
    credentials: reply.headers.get('access-control-allow-credentials'),
    exposed: reply.headers.get('access-control-expose-headers')?.split(', '),
  }
}

const nothing = { vary: null, origin: null, credentials: null, exposed: undefined }

test('an allowed page reads the reply and its headers; no other page does', async () => {
  expect(await read({ 'X-A': '1' }, { headers: {} })).toEqual(nothing)
  expect(await read({ 'X-A': '1' }, { cors: [] })).toEqual({ ...nothing, vary: 'Origin' })
  const allowed = await read({ 'X-A': '1', 'Content-Type': 'x/y', ETag: '"y"' })
  expect(allowed).toMatchObject({ vary: 'Origin', origin: page, credentials: 'true' })
  expect(allowed.exposed).toEqual(expect.arrayContaining(['X-A', 'ETag']))
  expect(allowed.exposed).not.toContain('Content-Type')
})

test('CORS headers of a reply stay, and its lists are added to', async () => {
  const own = {
    vary: 'Accept',
    'access-control-allow-origin': '*',
    'Access-Control-Expose-Headers': 'x-a',
    'X-A': '1',
    'X-B': '2',
  }
  const { exposed, ...told } = await read(own)
  expect(told).toEqual({ vary: 'Accept, Origin', origin: '*', credentials: 'true' })
  expect(exposed!.slice(0, 2)).toEqual(['x-a', 'X-B'])
  const lists = [
    ['*', '*'],
    ['Accept, *', 'Accept, *'],
    ['origin', 'origin'],
    ['Accept , ORIGIN', 'Accept , ORIGIN'],
    ['', 'Origin'],
    [' ', 'Origin'],
  ] as const
  for (const [Vary, vary] of lists)
    expect((await read({ Vary }, { cors: [] })).vary, Vary).toBe(vary)
})

test('a page may read each header that browsers do not show by themselves, or keep', async () => {
  const unlisted =
    'Cache-Control Content-Language Expires Last-Modified Pragma Set-Cookie Access-Control-Max-Age'
  const others = 'Content-Types XCache-Control Expired Access-Controls'.split(' ')
  const names = [...unlisted.split(' '), ...others]
  const { exposed } = await read(Object.fromEntries(names.map((name) => [name, '1'])))
  expect(exposed!.filter((name) => names.includes(name))).toEqual(others)
})

/** Asks whether a page may send a request. Returns the status, and what it may. */
async function preflight(more: Record<string, string> = {}, cors = [page], method = 'OPTIONS') {
  const headers = {
    origin: page,
    'access-control-request-method': 'patch',
    'access-control-request-headers': 'x-a, x-b',
    ...more,
  }
  const { status, headers: told } = await open({ cors }).call(method, '/plants', { headers })
  const may = (name: string) => told.get(`access-control-${name}`)
  return { status, vary: told.get('vary'), may }
}

test('a preflight says what a page may send', async () => {
  const { status, vary, may } = await preflight()
  expect([status, vary]).toEqual([204, 'Origin'])
  const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
  expect(
    [
      'allow-origin',
      'allow-credentials',
      'allow-methods',
      'allow-headers',
      'max-age',
      'allow-private-network',
      'expose-headers',
    ].map(may),
  ).toEqual([page, 'true', `${methods}, patch`, 'x-a, x-b', '600', null, null])
  for (const method of ['PATCH', 'QUERY', 'query'])
    expect(
      (await preflight({ 'access-control-request-method': method })).may('allow-methods'),
    ).toBe(methods)
  const network = 'access-control-request-private-network'
  expect((await preflight({ [network]: 'true' })).may('allow-private-network')).toBe('true')
  expect((await preflight({ [network]: 'false' })).may('allow-private-network')).toBeNull()
  expect((await preflight({}, [])).may('allow-methods')).toBeNull()
  expect((await preflight({}, [page], 'GET')).may('allow-methods')).toBeNull()
})

/** Asks with a scenario that adds to the headers of a finished reply. Returns the exposed ones. */
async function exposedWith(
  set: Record<string, string>,
  { headers = fromPage, cors = [page] }: { headers?: CallOptions['headers']; cors?: string[] } = {},
) {
  const { call, world } = open({ cors })
  world.use({ fault: [{ kind: 'headers', set }] })
  const reply = await call('GET', '/plants', { headers })
  return reply.headers.get('access-control-expose-headers')
}

test('headers that a scenario adds can be read, unless it changed their list', async () => {
  expect(await exposedWith({ 'X-B': '1' })).toMatch(/\bX-B\b/)
  expect(await exposedWith({ 'X-B': '1', 'Access-Control-Expose-Headers': 'X-C' })).toBe('X-C')
  expect(await exposedWith({ 'X-B': '1' }, { cors: [] })).toBeNull()
  expect(await exposedWith({ 'X-B': '1' }, { headers: {} })).toBeNull()
})
