import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start, startNodeOnPort, startOnPort, startReady } from '../processes.mjs'
import { toRequest } from '../http-message.mjs'

const home = fileURLToPath(new URL('.', import.meta.url))
const require = createRequire(import.meta.url)
const list = toRequest('GET', '/plants', { headers: { Authorization: 'Bearer any' } })

/**
 * The other products: each starts a server that answers a list of plants with `body`, with its log off where it has one.
 * Prism is there twice, as it starts by default and with its log off, since its log costs it more than half of its speed.
 */
export const peers = [
  { title: 'Express 5 res.json', atLeast: 2, start: startExpress },
  { title: 'json-server 0.17', atLeast: 5, path: '/plants?_limit=20', start: startJsonServer },
  { title: 'WireMock 3.13', atLeast: 2.5, start: startWireMock },
  { title: 'Prism 5', atLeast: 8, start: (world) => startPrism(world) },
  { title: 'Prism 5, log off', atLeast: 8, start: (world) => startPrism(world, '--verboseLevel', 'silent') },
]

/** Installs the other products into this folder, from its lock file. Does nothing when they are there. */
export async function installPeers() {
  if (existsSync(join(home, 'node_modules/.package-lock.json'))) return
  console.error('Installing the other products into bench/peers …')
  const npm = start('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: home, shell: process.platform === 'win32' })
  npm.child.stdout.resume()
  const code = await Promise.race([new Promise((resolve) => npm.child.once('close', resolve)), npm.ended.catch((error) => error.message)])
  if (code !== 0) throw new Error(`npm ci in bench/peers failed: ${code}`)
}

async function startExpress({ body, folder }) {
  const file = join(folder, 'express.json')
  writeFileSync(file, body)
  const server = await startReady([join(home, 'express.mjs'), file])
  return { ...server, port: server.ready.port }
}

function startJsonServer({ body, folder }) {
  const file = join(folder, 'json-server.json')
  writeFileSync(file, `{"plants":${body}}`)
  const program = join(home, 'node_modules/json-server/lib/cli/bin.js')
  return startNodeOnPort((port) => [program, '--quiet', '--host', '127.0.0.1', '--port', port, file], list, { cwd: folder })
}

function startWireMock({ body, folder }) {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
  } catch {
    throw new Error('there is no "java" on the path')
  }
  const root = join(folder, 'wiremock')
  mkdirSync(join(root, 'mappings'), { recursive: true })
  const response = { status: 200, headers: { 'Content-Type': 'application/json' }, body }
  writeFileSync(join(root, 'mappings/plants.json'), JSON.stringify({ request: { method: 'GET', urlPath: '/plants' }, response }))
  const build = join(home, 'node_modules/wiremock/build')
  const jar = join(build, readdirSync(build).find((file) => file.endsWith('.jar')))
  const toArgs = (port) => ['-jar', jar, '--bind-address', '127.0.0.1', '--port', port, '--root-dir', root, '--disable-request-logging']
  return startOnPort('java', toArgs, list)
}

function startPrism({ body, folder }, ...flags) {
  const file = join(folder, 'prism.json')
  writeFileSync(file, JSON.stringify(toOpenApi(JSON.parse(body))))
  const program = require.resolve('@stoplight/prism-cli/dist/index.js')
  return startNodeOnPort((port) => [program, 'mock', file, '--port', port, ...flags], list)
}

/** Starts a proxy before a server, and waits until it answers `request`. */
export function startHttpProxy(target, request) {
  return startNodeOnPort((port) => [join(home, 'http-proxy-3.mjs'), target, port], request)
}

export function startPrismProxy(target, request, { body, folder }) {
  const file = join(folder, 'prism-proxy.json')
  writeFileSync(file, JSON.stringify(toOpenApi(JSON.parse(body))))
  const program = require.resolve('@stoplight/prism-cli/dist/index.js')
  return startNodeOnPort((port) => [program, 'proxy', file, target, '--port', port, '--verboseLevel', 'silent'], request)
}

function toOpenApi(example) {
  const plant = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, tag: { type: 'string' } } }
  const content = { 'application/json': { schema: { type: 'array', items: plant }, example } }
  const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer' } }]
  const get = { parameters, security: [{ bearer: [] }], responses: { 200: { description: 'Plants', content } } }
  return {
    openapi: '3.0.3',
    info: { title: 'Plants', version: '1.0.0' },
    paths: { '/plants': { get } },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}
