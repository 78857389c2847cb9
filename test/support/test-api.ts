import { test } from 'vitest'
import {
  createGreenhouse,
  type Greenhouse,
  type GreenhouseOptions,
  type World,
} from 'greenhouse-mock'
import { adapters, type Adapter, type Send } from './adapters.ts'

export interface Client {
  /** A world of the test's own, its clock frozen at the start. */
  world: World
  send: Send
  /** Sends anything to that world without a detour through the adapter. */
  direct: Send
  /**
   * Whether a page of a browser could send the same over a socket, which is then judged by its
   * origin.
   */
  overSocket: boolean
  /** Sends a request with a key, `key_pro` unless named, and a JSON body where there is one. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
}

/** The client of a test with its own Greenhouse: its world is `default`. */
export interface OwnClient extends Client {
  greenhouse: Greenhouse
}

export interface CallOptions {
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON body; `undefined` when there is none. */
  body: any
  text: string
}

/** When tests begin, unless they say otherwise: in the middle of a minute and of a day. */
export const start = '2026-03-01T12:00:30.000Z'

/** The core, and a server with its sockets. test/parity holds that the others answer the same. */
export const tested: readonly Adapter[] = adapters.filter(
  ({ name }) => name === 'core' || (name === 'node server' && process.env['TEST_LANE'] !== 'core'),
)

/**
 * A behaviour is the core's, so it is tested there once: test/parity proves the adapters. With
 * TEST_ADAPTERS=all, a server answers each test, too.
 */
const byDefault = process.env['TEST_ADAPTERS'] === 'all' ? tested : tested.slice(0, 1)

/**
 * One Greenhouse for each adapter of this worker, however many test files load this module. It ends
 * with the worker.
 */
const shared = ((globalThis as { [key: symbol]: unknown })[Symbol.for('greenhouse.test.shared')] ??=
  new Map()) as Map<string, Promise<Shared>>

interface Shared {
  greenhouse: Greenhouse
  send: Send
  worlds: number
}

type TestBody<C> = (client: C) => Promise<void>

/** Runs a test of the API's behaviour in a world of the test's own. */
export function testApi(title: string, run: TestBody<Client>): void
/**
 * The same in a Greenhouse of the test's own, with these options; through other adapters if they
 * are given.
 */
export function testApi(
  title: string,
  options: GreenhouseOptions,
  run: TestBody<OwnClient>,
  adapters?: readonly Adapter[],
): void
export function testApi(
  title: string,
  ...rest: [TestBody<Client>] | [GreenhouseOptions, TestBody<OwnClient>, (readonly Adapter[])?]
): void {
  const adapters = rest[2] ?? byDefault
  for (const adapter of adapters)
    test(`${title} (${adapter.name})`, () =>
      rest.length === 1 ? runInWorld(adapter, rest[0]) : runInGreenhouse(adapter, rest[0], rest[1]))
}

async function runInWorld(adapter: Adapter, run: TestBody<Client>): Promise<void> {
  const host = await (shared.get(adapter.name) ?? openShared(adapter))
  const name = `test-${++host.worlds}`
  const world = freeze(host.greenhouse.world(name), start)
  const within = (path: string) => (path.startsWith('/~') ? path : `/~${name}${path}`)
  const send: Send = (path, init) => host.send(within(path), init)
  const direct: Send = (path, init) => toDirect(host.greenhouse)(within(path), init)
  try {
    await run({
      world,
      send,
      direct,
      overSocket: adapter.overSocket === true,
      call: createCaller(send),
    })
  } finally {
    host.greenhouse.deleteWorld(name)
  }
}

async function runInGreenhouse(
  adapter: Adapter,
  options: GreenhouseOptions,
  run: TestBody<OwnClient>,
): Promise<void> {
  const greenhouse = createGreenhouse({ now: start, ...options })
  const world = freeze(greenhouse.world('default'), options.now ?? start)
  const { send, close } = await adapter.open(greenhouse)
  try {
    const overSocket = adapter.overSocket === true
    await run({
      greenhouse,
      world,
      send,
      direct: toDirect(greenhouse),
      overSocket,
      call: createCaller(send),
    })
  } finally {
    await close()
  }
}

function openShared(adapter: Adapter): Promise<Shared> {
  const greenhouse = createGreenhouse({ now: start })
  const opened = adapter.open(greenhouse).then(({ send }) => ({ greenhouse, send, worlds: 0 }))
  shared.set(adapter.name, opened)
  return opened
}

/** A Greenhouse without a server, its clock frozen at the start. */
export function open(options: GreenhouseOptions = {}): OwnClient {
  const greenhouse = createGreenhouse({ now: start, ...options })
  const world = freeze(greenhouse.world(), options.now ?? start)
  const send = toDirect(greenhouse)
  return { greenhouse, world, send, direct: send, overSocket: false, call: createCaller(send) }
}

const toDirect =
  (greenhouse: Greenhouse): Send =>
  (path, init) =>
    greenhouse.fetch(new Request(`http://greenhouse.test${path}`, init))

function freeze(world: World, now: string | number): World {
  world.clock.freeze()
  world.clock.set(now)
  return world
}

/**
 * Returns the method, headers and body of a request. A body that is not text becomes JSON; without
 * a key it is Pro's.
 */
export function toInit(
  method: string,
  { key = 'key_pro', body, headers }: CallOptions = {},
): RequestInit {
  return {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/** Returns a function that fetches below a URL, with `key_pro` unless named. */
export const createFetcher =
  (url: string) =>
  (
    path: string,
    { key = 'key_pro', ...init }: RequestInit & { key?: string } = {},
  ): Promise<Response> => {
    const usual = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(url + path, { ...init, headers: { ...usual, ...init.headers } })
  }

export function createCaller(send: Send): Client['call'] {
  return async (method, path, asked) => toAnswer(await send(path, toInit(method, asked)))
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
    text,
  }
}

/** A request as `GET /plants`, or with options as `['GET /plants', { key: 'key_free' }]`. */
export type Asked = string | readonly [asked: string, options: CallOptions]

export async function statusesOf(
  call: Client['call'],
  ...asked: readonly Asked[]
): Promise<number[]> {
  const found: number[] = []
  for (const one of asked) {
    const [line, options] = typeof one === 'string' ? [one] : one
    const [method, path] = line.split(' ') as [string, string]
    found.push((await call(method, path, options)).status)
  }
  return found
}
