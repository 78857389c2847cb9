import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exchange, toRequest } from './http-message.mjs'
import { startNodeOnPort, startReady } from './processes.mjs'

/**
 * Starts `greenhouse-mock serve` from the built folder `dist` on a free port, its log off as the
 * other products' are unless `options` say another.
 */
export function startGreenhouse(dist, ...options) {
  const log = options.includes('--log') ? [] : ['--log', 'silent']
  const toArgs = (port) => [toServeFile(dist), 'serve', '--port', port, ...log, ...options]
  return startNodeOnPort(toArgs, toRequest('GET', '/__greenhouse/health'))
}

/** Room for what a part writes on the fastest machine, whatever memory this one has. */
export const roomForWrites = ['--memory', '1GiB']

/** The arguments of `node` that serve. */
export function toServeFile(dist) {
  // A build before 2026-11-24 has an ES module.
  const file = ['greenhouse.cjs', 'greenhouse.js'].map((name) => join(dist, name)).find(existsSync)
  if (!file)
    throw new Error(`${join(dist, 'greenhouse.cjs')} does not exist. Run "npm run build" first.`)
  return file
}

/** The bench's own world: one account, 20 plants. */
export const ownFixtures = fileURLToPath(new URL('fixtures', import.meta.url))

/**
 * A fixtures folder with one account of the largest plan and many keys: with a budget for each they
 * never run out of quota.
 */
export function writeManyKeys(folder, count, plants) {
  mkdirSync(folder, { recursive: true })
  const account = 'acct_bench'
  const keys = Array.from({ length: count }, (_, number) => ({
    secret: `key_bench_${number + 1}`,
    account,
  }))
  const accounts = [{ id: account, name: 'Bench', email: 'bench@example.com', plan: 'pro_plus' }]
  writeFileSync(
    join(folder, 'many.yaml'),
    JSON.stringify({
      accounts,
      keys,
      plants: plants.map((plant, index) => ({ id: index + 1, ...plant, account })),
    }),
  )
  return keys.map(({ secret }) => secret)
}

/** A request with a key. */
export function toKeyRequest(method, path, key, body, headers = {}) {
  return toRequest(method, path, { headers: { Authorization: `Bearer ${key}`, ...headers }, body })
}

/** One reply, which must be 200. */
export async function fetchOnce(port, request) {
  const reply = await exchange(port, request)
  if (reply.status !== 200)
    throw new Error(
      `Expected 200 from ${request.split('\r\n')[0]}, not ${reply.status}: ${reply.body}`,
    )
  return reply
}

/**
 * Headers that Node adds by itself: `Keep-Alive` only where it closes idle connections, which
 * Greenhouse does instead.
 */
const nodesOwn = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])
const isKept = (name) => !nodesOwn.has(name.toLowerCase())

/**
 * Starts the bare server with the very bytes and headers of Greenhouse's reply, and checks that
 * they are.
 */
export async function startBareAs(context, name, { reply, requests }, ...flags) {
  const file = join(context.folder, `${name}.json`)
  const ownDate = !reply.headers.some(([header]) => header.toLowerCase() === 'date')
  const headers = reply.headers.filter(([header]) => isKept(header)).flat()
  writeFileSync(file, JSON.stringify({ headers, body: reply.body, ownDate }))

  const server = await startReady([
    fileURLToPath(new URL('servers/bare.mjs', import.meta.url)),
    file,
    ...flags,
  ])
  const { port } = server.ready
  const same = await fetchOnce(port, requests[0])
  if (same.body !== reply.body || toNames(same) !== toNames(reply))
    throw new Error(`The bare server's reply differs: ${toNames(same)} against ${toNames(reply)}`)
  return { ...server, port, requests: [requests[0]] }
}

const toNames = ({ headers }) =>
  headers
    .map(([name]) => name.toLowerCase())
    .filter(isKept)
    .sort()
    .join(', ')
