import { Agent, request } from 'node:http'
import { expect } from 'vitest'
import type { JournalEntry } from 'greenhouse-mock'
import { startServe } from '../support/cli.ts'
import { both, startProxied, testBehind, worldsOf } from './proxied.ts'
import fc from 'fast-check'
import { readAddress } from '../../src/core/http/address.ts'
import { splitTarget } from '../../src/core/http/request.ts'
import { ask } from '../support/socket.ts'
import { times } from '../support/soak.ts'

/** A request as it is sent to any server. */
interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** A reply, without parts that depend on the moment and the connection. */
interface Got {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
  /** Why there is no whole reply. */
  readonly failed: boolean
}

/** Headers that a proxy changes, or that contain the name of a process. */
const ofConnection =
  /^(connection|keep-alive|transfer-encoding|date|server|x-greenhouse-(process|undo)):/

/** Returns a function that sends requests to a server and reads the replies. */
function createClient(url: string): (sent: Sent) => Promise<Got> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = ({ method, path, headers, body }: Sent, isAgain = false): Promise<Got> =>
    new Promise((resolve) => {
      const { port } = new URL(url)
      const nothing = { status: 0, headers: [], body: '', failed: true }
      const sending = request(
        { port, host: '127.0.0.1', method, path, headers, agent },
        (reply) => {
          const chunks: Buffer[] = []
          const done = (failed: boolean) =>
            resolve({
              status: reply.statusCode!,
              headers: toLines(reply.headers).filter((line) => !ofConnection.test(line)),
              body: Buffer.concat(chunks).toString('latin1'),
              failed,
            })
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('end', () => done(false)).on('error', () => done(true))
        },
      )
      // A client resends a request if its idle connection closes; journals show whether it was done
      // twice.
      sending.on('error', () =>
        resolve(
          sending.reusedSocket && !isAgain ? send({ method, path, headers, body }, true) : nothing,
        ),
      )
      sending.end(body)
    })
  return (sent) => send(sent)
}

const toLines = (headers: NodeJS.Dict<string | string[]>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort()

/**
 * Calls of one world, in order: `{app}` and `{conv}` are the newest ones that a reply has named.
 */
const calls: readonly (readonly [
  line: string,
  body?: unknown,
  headers?: Record<string, string>,
  key?: string,
])[] = [
  ['GET /plants?limit=3'],
  ['GET /plants?limit=x'],
  ['HEAD /plants'],
  ['POST /plants', { id: 5_001, name: 'Fern ✿', tag: 'tree' }],
  ['POST /plants', { id: 5_001, name: '' }],
  ['POST /plants', '{"id": 1,'],
  ['DELETE /plants/5001'],
  ['DELETE /plants/5001'],
  ['POST /v1/apps', { name: 'x'.repeat(3_000) }],
  ['POST /v1/apps', { name: 'shop' }, { 'idempotency-key': 'a' }],
  ['POST /v1/apps', { name: 'shop' }, { 'idempotency-key': 'a' }],
  ['PATCH /v1/apps/{app}', { name: 'renamed' }],
  ['GET /v1/apps?limit=5'],
  ['POST /v1/apps/{app}/conversations', { user: { email: 'a@example.com' } }],
  ['POST /v1/apps/{app}/conversations/{conv}/messages', { content: 'Hello', stream: true }],
  ['GET /v1/apps/{app}/conversations/{conv}/messages'],
  ['POST /v1/webhooks', { url: 'https://hooks.example.com/x', events: ['app.created'] }],
  ['GET /v1/apps', undefined, {}, 'key_none'],
  ['GET /v1/none'],
  [
    'OPTIONS /plants',
    undefined,
    { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
  ],
  ...[
    'malformed-plant:field=tag;kind=null',
    'truncated-body',
    'no-such-scenario',
    'drip:bytes-per-second=100000',
  ].map((scenario) => ['GET /plants', undefined, { 'x-greenhouse-scenario': scenario }] as const),
  ['PUT /__greenhouse/worlds/{world}/snapshots/before'],
  ['PATCH /__greenhouse/worlds/{world}/clock', { advance: '1d' }],
  ['PUT /__greenhouse/worlds/{world}/scenarios', { active: ['server-error:on=apps.*'] }],
  ['GET /v1/apps'],
  ['POST /__greenhouse/worlds/{world}/events', { type: 'plant.created' }],
  ['POST /__greenhouse/worlds/{world}/snapshots/before/restore'],
  ['GET /v1/apps/{app}'],
  ['DELETE /v1/apps/{app}'],
]

/**
 * Each way to name a world: what comes before the path, at the key, and in the headers. Those that
 * win come first.
 */
const ways: readonly ((
  world: string,
) => readonly [prefix: string, suffix: string, headers: Record<string, string>])[] = [
  (world) => [`/~${world}`, '', {}],
  (world) => ['', '', { 'X-Greenhouse-World': world }],
  (world) => ['', `@${world}`, {}],
  (world) => [`/~${world}`, '@other', { 'X-Greenhouse-World': 'another' }],
]

function* toRequests(world: string, place: number): Generator<Sent, void, Got> {
  const known: Record<string, string> = { world, app: 'app_none', conv: 'conv_none' }
  for (const [index, [line, body, more, key = 'key_pro']] of calls.entries()) {
    const [method, target] = line
      .replace(/\{(\w+)\}/g, (_, name: string) => known[name]!)
      .split(' ') as [string, string]
    const isControl = target.startsWith('/__greenhouse')
    const [prefix, suffix, named] =
      world === 'default' ? ['', '', {}] : ways[(index + place) % ways.length]!(world)
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const reply: Got = yield {
      method,
      path: isControl ? target : prefix + target,
      headers: {
        // The host is the same, whichever server is asked.
        host: isControl ? '127.0.0.1' : 'greenhouse.localhost',
        ...(!isControl && { authorization: `Bearer ${key}${suffix}`, ...named }),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...more,
      },
      body: text,
    }
    for (const [, id, kind] of reply.body.matchAll(/"id":"((app|conv)_[a-z0-9]+)"/g))
      known[kind!] = id!
  }
}

const worlds = [
  'default',
  ...Array.from({ length: 39 }, (_, place) => `w${place}.x-${(place * 7_919) % 1_000}`),
]
const args = ['--seed', '7', '--now', '2026-03-01T12:00:00Z', '--frozen']

/** Returns a world's journal from a server. */
async function journalOf(url: string, world: string): Promise<unknown[]> {
  const reply = await fetch(`${url}/__greenhouse/worlds/${world}/journal?limit=1000`)
  const { data } = (await reply.json()) as { data: JournalEntry[] }
  return data.map(({ operation, request, response }) => [
    operation,
    request.method,
    response.status,
  ])
}

testBehind(both, '40 worlds answer as 40 worlds of one process', async (proxy) => {
  const [{ url, members }, alone] = await Promise.all([startProxied(proxy, args), startServe(args)])
  const [ask, askAlone] = [createClient(url), createClient(alone.ready.plants_url)]
  const statuses = new Set<number>()
  let failed = 0
  await Promise.all(
    worlds.map(async (world, place) => {
      const requests = toRequests(world, place)
      for (let next = requests.next(); !next.done;) {
        const [got, expected] = await Promise.all([ask(next.value), askAlone(next.value)])
        expect(got, JSON.stringify(next.value)).toEqual(expected)
        statuses.add(expected.status)
        if (expected.failed) failed++
        next = requests.next(expected)
      }
    }),
  )
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404]))
  expect(failed).toBeGreaterThan(0)

  // All have `default` from the start.
  const [, ...others] = worlds
  const byMember = (await Promise.all(members.map(worldsOf))).map((names) =>
    names.filter((name) => others.includes(name)),
  )
  // How many each process has depends on its port, which nginx takes for its name: one may have none.
  expect(byMember.filter((names) => names.length > 0).length).toBeGreaterThan(2)
  expect(byMember.flat().sort()).toEqual(others.sort())
  for (const world of worlds)
    expect(await journalOf(url, world), world).toEqual(
      await journalOf(alone.ready.plants_url, world),
    )
})

const names = [
  'w1',
  'w2',
  'w3',
  'w4',
  'w5',
  'w6',
  'w7',
  'A.b_c-d',
  'x'.repeat(64),
  '%77',
  'a b',
  '',
  '~w1',
  'ü',
]
const targets = [
  '/plants',
  '/',
  '/v1/apps',
  '/~',
  '/plants/~w1',
  '//~w1/plants',
  '/plants?world=w1',
  '/plants?x=/~w2/',
]
const credentials = [
  [
    'Bearer key_pro',
    'bearer  key_pro@w1',
    'BEARER a@b@w2',
    'Bearer @w3',
    'Bearer @@w3',
    'Basic key_pro@w4',
  ],
  ['Bearer key_pro@w5 ', 'Bearer', 'Bearer a b@w6', 'Bearerkey_pro@w7', 'Bearer a@w1,b@w2'],
].flat()

const name = fc.constantFrom(...names)
const path = fc.oneof(
  fc.constantFrom(...targets),
  fc
    .tuple(
      name,
      fc.constantFrom(
        '',
        '/',
        '/plants',
        '/v1/apps?limit=1',
        '?limit=1',
        '//plants',
        '/~w2/plants',
      ),
    )
    .map(([world, rest]) => `/~${encodeURI(world)}${rest}`),
)
const authorization = fc.oneof(
  name.map((world) => `Bearer key_pro@${world}`),
  fc.constantFrom(...credentials),
)
const headers = fc.array(
  fc.oneof(
    authorization.map((value) => `Authorization: ${value}`),
    name.map((world) => `X-Greenhouse-World: ${world}`),
  ),
  { maxLength: 3 },
)

/** The world of a request, as Node reads its headers and Greenhouse takes them. */
function toWorld(target: string, lines: readonly string[]): string {
  const values = (wanted: string) =>
    lines
      .filter((line) => line.startsWith(wanted))
      .map((line) => line.slice(wanted.length + 1).trim())
  const [path] = splitTarget(target)
  const [world, key] = [values('X-Greenhouse-World'), values('Authorization')]
  const { world: named = 'default' } = readAddress({
    method: 'GET',
    path,
    headers: {
      ...(world.length > 0 && { 'x-greenhouse-world': world.join(', ') }),
      ...(key.length > 0 && { authorization: key[0] }),
    },
  } as never)
  return named
}

testBehind(both, 'each request goes to the process of its world', async (proxy) => {
  const { url } = await startProxied(proxy)
  const { port } = new URL(url)
  const processes = new Map<string, string>()
  const seen = new Set<string>()
  const get = (target: string, lines: readonly string[]) =>
    ask(Number(port), `GET ${target}`, lines)
  await fc.assert(
    fc.asyncProperty(path, headers, async (target, lines) => {
      const world = toWorld(target, lines)
      // nginx takes no header twice that has one value, and answers 400 itself.
      if (proxy === 'nginx' && new Set(lines.map((line) => line.split(':')[0])).size < lines.length)
        return
      // All of them refuse an invalid world.
      if (!/^[\w.-]{1,64}$/.test(world)) return
      const { headers } = await get(target, lines)
      const own = headers['x-greenhouse-process']
      expect(own, 'told by the proxy').toBeDefined()
      if (headers['x-greenhouse'] !== undefined)
        expect(headers['x-greenhouse'].split(';')[0]).toBe(`world=${world}`)
      if (!processes.has(world))
        processes.set(world, (await get(`/~${world}/plants`, [])).headers['x-greenhouse-process']!)
      expect([world, own]).toEqual([world, processes.get(world)])
      seen.add(world)
    }),
    { numRuns: times(2_000, 300) },
  )
  expect(seen.size).toBeGreaterThan(5)
  expect(new Set(processes.values()).size).toBeGreaterThan(1)
})

testBehind(both, 'control calls go to the process of their world', async (proxy) => {
  const { url } = await startProxied(proxy)
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await fetch(url + path, { method, headers })
    await reply.body?.cancel()
    return reply.headers.get('x-greenhouse-process')
  }
  const usual = await ask('/plants')
  for (const world of ['w1', 'w2', 'w3', 'w4', 'w5']) {
    const own = await ask(`/~${world}/plants`)
    for (const path of [
      `/worlds/${world}`,
      `/worlds/${world}/journal`,
      `/worlds/${world}/records/plants?limit=1`,
    ])
      expect(await ask(`/__greenhouse${path}`), path).toBe(own)
    expect(await ask(`/__greenhouse/worlds/${world}/reset`, {}, 'POST')).toBe(own)
    expect(await ask(`/__greenhouse/events?types=clock&world=${world}`)).toBe(own)
    // Calls without a world go to the process of "default", or of the header's world.
    expect(await ask('/__greenhouse/worlds')).toBe(usual)
    expect(await ask('/__greenhouse/worlds', { 'x-greenhouse-world': world })).toBe(own)
  }
})
