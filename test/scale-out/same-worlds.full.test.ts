import { Agent, request } from 'node:http'
import { expect } from 'vitest'
import type { JournalEntry } from 'greenhouse-mock'
import { createRandom } from '../../src/core/time/random.ts'
import { startServe } from '../support/cli.ts'
import { times } from '../support/soak.ts'
import { both, startProxied, testBehind, worldsOf } from './proxied.ts'

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

/** Headers that a proxy changes. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date', 'server', 'x-greenhouse-process']

/** Returns a function that sends requests to a server and reads the replies. */
function createClient(url: string): (sent: Sent) => Promise<Got> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = ({ method, path, headers, body }: Sent, isAgain = false): Promise<Got> =>
    new Promise((resolve) => {
      const { port } = new URL(url)
      const nothing = { status: 0, headers: [], body: '', failed: true }
      const sending = request({ port, host: '127.0.0.1', method, path, headers, agent }, (reply) => {
        const chunks: Buffer[] = []
        const done = (failed: boolean) =>
          resolve({
            status: reply.statusCode!,
            headers: toLines(reply.headers).filter((line) => !ofConnection.includes(line.split(':')[0]!)),
            body: Buffer.concat(chunks).toString('latin1'),
            failed,
          })
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => done(false)).on('error', () => done(true))
      })
      // A client resends a request if its idle connection closes; journals show whether it was done twice.
      sending.on('error', () =>
        resolve(sending.reusedSocket && !isAgain ? send({ method, path, headers, body }, true) : nothing),
      )
      sending.end(body)
    })
  return (sent) => send(sent)
}

const toLines = (headers: NodeJS.Dict<string | string[]>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort()

const slow = 'drip:bytes-per-second=100000'
const scenarios = ['malformed-plant:field=tag;kind=null', 'truncated-body', 'no-such-scenario', slow]

/** Returns a generator of requests: a client's day in one world, named in every possible way. */
function createDay(world: string, seed: number) {
  const random = createRandom(seed, world)
  const pick = <T>(some: readonly T[]): T => some[Math.floor(random.next() * some.length)]!
  const ids: Record<string, string[]> = { app: [], con: [] }
  const known = (kind: string) => pick([...ids[kind]!.slice(-3), `${kind}_none`])
  const app = () => `/v1/apps/${known('app')}`
  const number = () => 5_000 + Math.floor(random.next() * 6)

  const calls: readonly (() => readonly [method: string, path: string, body?: unknown])[] = [
    () => ['GET', `/plants?limit=${pick(['1', '20', '3', 'x'])}`],
    () => ['HEAD', '/plants'],
    () => ['POST', '/plants', { id: number(), name: pick(['Ficus', 'Fern ✿', '']), tag: pick(['tree', 'herb']) }],
    () => ['DELETE', `/plants/${number()}`],
    () => ['POST', '/plants', '{"id": 1,'],
    () => ['GET', `/v1/apps?limit=${pick(['1', '5', '101'])}`],
    () => ['POST', '/v1/apps', { name: pick(['helper', 'shop', 'x'.repeat(3_000)]) }],
    () => ['GET', app()],
    () => ['PATCH', app(), { name: pick(['renamed', '']) }],
    () => ['DELETE', app()],
    () => ['POST', `${app()}/conversations`, { user: { email: 'a@example.com' } }],
    () => [
      'POST',
      `${app()}/conversations/${known('con')}/messages`,
      { content: 'Hello', stream: pick([true, false]) },
    ],
    () => ['GET', `${app()}/conversations`],
    () => ['POST', '/v1/webhooks', { url: 'https://hooks.example.com/x', events: ['app.created'] }],
    () => ['GET', '/v1/webhooks'],
    () => ['GET', '/v1/usage'],
    () => ['POST', '/v1/credits/purchases', { credits: pick([1_000, 5]) }],
    () => ['GET', '/v1/credits'],
    () => ['PUT', '/v1/subscription', { plan: pick(['pro', 'lite', 'none']) }],
    () => ['GET', pick(['/', '/none', '/v1/none', '/v1/account'])],
    () => ['OPTIONS', '/plants'],
  ]
  const controls: readonly (() => readonly [method: string, path: string, body?: unknown])[] = [
    () => ['PATCH', '/clock', { advance: pick(['1s', '90s', '1d']) }],
    () => ['GET', '/clock'],
    () => ['PUT', '/scenarios', { active: pick([['slow:ms=1'], [], ['expired-key'], ['server-error:on=apps.*']]) }],
    () => ['GET', '/records/plants'],
    () => ['PUT', '/snapshots/before'],
    () => ['POST', '/snapshots/before/restore'],
    () => ['POST', '/reset'],
    () => ['POST', '/events', { type: 'plant.created' }],
  ]

  return {
    next(): Sent {
      const isControl = random.next() < 0.12
      const [method, path, body] = pick(isControl ? controls : calls)()
      const key = pick(['key_pro', 'key_pro', 'key_pro_plus', 'key_free', 'key_none'])
      const named = world === 'default' ? 'none' : pick(['path', 'header', 'key', 'all'] as const)
      const [byPath, byHeader, byKey] = ['path', 'header', 'key'].map((way) => named === way || named === 'all')
      const prefix = isControl ? `/__greenhouse/worlds/${world}` : byPath ? `/~${world}` : ''
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const other = named === 'all' ? `other-${Math.floor(random.next() * 9)}` : world
      return {
        method,
        path: prefix + path,
        headers: {
          // The host is the same, whichever server is asked.
          host: 'greenhouse.localhost',
          ...(isControl
            ? { host: '127.0.0.1' }
            : { authorization: `${pick(['Bearer', 'bearer'])} ${key}${byKey ? `@${other}` : ''}` }),
          ...(byHeader && { 'X-Greenhouse-World': other }),
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
          ...(random.next() < 0.1 && !isControl && { 'x-greenhouse-scenario': pick(scenarios) }),
          ...(random.next() < 0.2 && method === 'POST' && { 'idempotency-key': pick(['a', 'b']) }),
          ...(method === 'OPTIONS' && { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' }),
        },
        body: text,
      }
    },
    /** Remembers what a reply made, to ask for it later. */
    learn({ body }: Got): void {
      for (const [, id, kind] of body.matchAll(/"id":"((app|con)\w*_[a-z0-9]+)"/g)) ids[kind!]!.push(id!)
    },
  }
}

const requests = times(60, 20)
const worlds = ['default', ...Array.from({ length: 39 }, (_, place) => `w${place}.x-${(place * 7_919) % 1_000}`)]
const args = ['--seed', '7', '--now', '2026-03-01T12:00:00Z', '--frozen']

/** Returns a world's journal from a server. */
async function journalOf(url: string, world: string): Promise<unknown[]> {
  const reply = await fetch(`${url}/__greenhouse/worlds/${world}/journal?limit=1000`)
  const { data } = (await reply.json()) as { data: JournalEntry[] }
  return data.map(({ operation, request, response }) => [operation, request.method, response.status])
}

testBehind(both, '40 worlds answer as 40 worlds of one process', async (proxy) => {
  const [{ url, members }, alone] = await Promise.all([startProxied(proxy, args), startServe(args)])
  const [ask, askAlone] = [createClient(url), createClient(alone.ready.plants_url)]
  const statuses = new Set<number>()
  let failed = 0
  await Promise.all(
    worlds.map(async (world, place) => {
      const day = createDay(world, 2_026 + place)
      for (let count = 0; count < requests; count++) {
        const sent = day.next()
        const [got, expected] = await Promise.all([ask(sent), askAlone(sent)])
        expect(got, `${JSON.stringify(sent)}`).toEqual(expected)
        day.learn(expected)
        statuses.add(expected.status)
        if (expected.failed) failed++
      }
    }),
  )
  // The day had something of everything.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404]))
  expect(failed).toBeGreaterThan(0)

  const counts = await Promise.all(members.map(worldsOf))
  // Each process has some of them, and no world but `default`, which is there from the start, is in two.
  for (const names of counts) expect(names.filter((name) => worlds.includes(name)).length).toBeGreaterThan(3)
  const all = counts.flat().filter((name) => name !== 'default' && worlds.includes(name))
  expect([...all].sort()).toEqual(worlds.filter((name) => name !== 'default').sort())
  for (const world of worlds)
    expect(await journalOf(url, world), world).toEqual(await journalOf(alone.ready.plants_url, world))
})
