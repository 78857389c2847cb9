import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type * as Index from '../../src/index.ts'
import type * as Server from '../../src/server.ts'
import { startServe } from '../support/cli.ts'
import { start } from '../support/test-api.ts'
import { type Asked, Client, type Got } from './client.ts'

export interface Build {
  readonly name: 'source' | 'ESM' | 'CommonJS' | 'CLI'
  readonly client: Client
}

export interface Builds {
  readonly builds: readonly Build[]
  /** The world `default` of the source's server. */
  readonly world: Index.World
  readonly operations: readonly Index.OperationSummary[]
  close(): Promise<void>
}

const seed = 7

/**
 * Starts a server of each build, all of them with the same seed and the same frozen clock. Call it
 * in a test.
 */
export async function openBuilds(): Promise<Builds> {
  const load = (file: string) => import(pathToFileURL(resolve('dist', file)).href)
  const require = createRequire(resolve('dist/cjs/index.cjs'))
  const modules: Record<string, [typeof Index, typeof Server]> = {
    source: [await import('../../src/index.ts'), await import('../../src/server.ts')],
    // By their files: with TEST_TARGET=src the package's name stands for the source.
    ESM: [(await load('index.js')) as typeof Index, (await load('server.js')) as typeof Server],
    CommonJS: [require('./index.cjs') as typeof Index, require('./server.cjs') as typeof Server],
  }
  const builds: Build[] = []
  const ends: (() => unknown)[] = []
  let source: Index.Greenhouse | undefined
  for (const [name, [{ createGreenhouse }, { serve }]] of Object.entries(modules)) {
    const greenhouse = createGreenhouse({ seed, now: start, frozen: true })
    source ??= greenhouse
    const server = await serve(greenhouse)
    const client = new Client(server.port)
    builds.push({ name: name as Build['name'], client })
    ends.push(() => (client.close(), server.close()))
  }
  const { ready, stop } = await startServe(['--seed', String(seed), '--now', start, '--frozen'])
  const client = new Client(Number(new URL(ready.plants_url).port))
  builds.push({ name: 'CLI', client })
  ends.push(() => (client.close(), stop()))
  return {
    builds,
    world: source!.world(),
    operations: source!.operations(),
    close: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}

/**
 * Values of the real clock: durations of exchanges and receivers, in JSON, or in YAML within it.
 */
const measured = /\b(ms|latency|latency_ms)((?:\\*")?: ?)[\d.e-]+/g

/** A journal entry whose reply contains latencies, so its length depends on their digits. */
const entryOfDeliveries = /"operation":"deliveries\..*?"ms":0/g
const lengths = /("Content-Length":"|"bytes":)\d+/g

/** Sends a request to every build, sees that all answer the same, and gives what they answer. */
export async function sendToAll(builds: readonly Build[], asked: Asked): Promise<Got> {
  const [first, ...others] = await Promise.all(builds.map(({ client }) => client.send(asked)))
  for (const [index, got] of others.entries())
    if (!isSame(got, first!))
      expect(
        around(got, first!),
        `${builds[index + 1]!.name} beside the source: ${describe(asked)}`,
      ).toEqual(around(first!, got))
  return first!
}

/**
 * Calls the control API of every build, of the world `default` where `path` begins with no other,
 * and sees that it takes it.
 */
export async function controlAll(
  builds: readonly Build[],
  method: string,
  path: string,
  body?: unknown,
): Promise<Got> {
  const asked = {
    method,
    target: `/__greenhouse/worlds/default${path}`,
    ...(body !== undefined && {
      headers: [['Content-Type', 'application/json']] as const,
      body: JSON.stringify(body),
    }),
  }
  const got = await sendToAll(builds, asked)
  expect(got.head, `${describe(asked)}: ${got.body}`).toMatch(/^HTTP\/1\.1 2/)
  return got
}

/** Asserts that all builds have the same journal, records and scheduled work. */
export async function compareWorlds(builds: readonly Build[]): Promise<void> {
  await settleAll(builds)
  const { data } = JSON.parse((await controlAll(builds, 'GET', '/records')).body) as {
    data: { name: string }[]
  }
  const kept = [
    ...data.map(({ name }) => `/records/${name}`),
    '/journal',
    '/due',
    '/quotas',
    '/clock',
    '',
  ]
  for (const path of kept) await controlAll(builds, 'GET', path)
}

/** Waits until deliveries under way have ended: when they do, the real world decides. */
export async function settleAll(builds: readonly Build[]): Promise<void> {
  await controlAll(builds, 'PATCH', '/clock', { advance: 0 })
}

function isSame(one: Got, other: Got): boolean {
  return one.head === other.head && one.body === other.body && one.end === other.end
}

function timeless({ head, body, end }: Got): Got {
  const stripped = body
    .replace(measured, '$1$2\u0030')
    // Which server it is of.
    .replace(/"journal":"[\w.]+"/, '"journal":""')
    .replace(entryOfDeliveries, (entry) => entry.replace(lengths, '$10'))
  // Its length goes by how many digits they have, those too that a reply that was cut no longer
  // shows.
  const hidesSome = end === 'cut' && head.includes('operation=deliveries.')
  // One that is 0 has its length by chance, too.
  return stripped === body && body.search(measured) < 0 && !hidesSome
    ? { head, body, end }
    : { head: head.replace(/^content-length: \d+\r\n/im, ''), body: stripped, end }
}

/** The reply from just before the first difference: a history's journal is long. */
function around(got: Got, other: Got): string {
  const [text, beside] = [got, other].map((one) => Object.values(timeless(one)).join('\n')) as [
    string,
    string,
  ]
  let at = 0
  while (at < text.length && text[at] === beside[at]) at++
  return at === text.length && at === beside.length
    ? ''
    : text.slice(Math.max(0, at - 300), at + 300)
}

export function describe({ method, target, headers = [], body }: Asked): string {
  const text =
    body === undefined
      ? ''
      : typeof body === 'string'
        ? body
        : `bytes ${Buffer.from(body).toString('hex')}`
  return [`${method} ${target}`, ...headers.map((header) => header.join(': ')), text]
    .join('\n')
    .slice(0, 2_000)
}
