import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { roomForWrites, toServeFile } from '../greenhouse.mjs'
import { startReady } from '../processes.mjs'
import { toBoundRow } from '../table.mjs'

/** How long an end is waited for, in milliseconds. */
const longest = 60_000

const json = { Authorization: 'Bearer key_pro_plus', 'Content-Type': 'application/json' }
const get = (path, ...headers) =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: ${json.Authorization}`,
    ...headers,
    '',
    '',
  ].join('\r\n')
const slow = get('/plants', 'X-Greenhouse-Scenario: very-slow:ms=600000')

/**
 * What a server has to do with when it is stopped; each opens it, and may return what closes it.
 */
const loads = {
  nothing: async () => {},
  '5 receivers that never answer, 40 events': (server) => hang(server, 5, 40),
  '4 delayed replies': (server) => open(server, 4, slow),
  '2 delayed replies, pipelined': (server) => open(server, 1, slow + slow),
  '2 delayed replies, pipelined, their client gone': async (server) => {
    for (const socket of await open(server, 1, slow + slow)) socket.destroy()
  },
  '4 replies that drip': (server) =>
    open(server, 4, get('/plants', 'X-Greenhouse-Scenario: drip:bytes-per-second=1')),
  '4 journal streams': (server) =>
    open(server, 4, get('/__greenhouse/worlds/default/journal/stream')),
  '200 sockets after CONNECT': (server) =>
    open(server, 200, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
  '50 refused sockets that drip': async (server) => {
    const sockets = await open(server, 50, 'nonsense\r\n\r\n')
    const timer = setInterval(
      () => sockets.forEach((socket) => socket.writable && socket.write('x')),
      100,
    )
    return () => clearInterval(timer)
  },
  '9,500 silent sockets': (server) => open(server, 9_500, ''),
  '20 busy keep-alive clients': (server) => keepBusy(server, 20),
  'a heap of 500 MB': (server) => fill(server),
}

/** Milliseconds from SIGTERM to the end of `greenhouse-mock serve` under each load. */
export async function measure(context) {
  const rows = []
  for (const [name, load] of Object.entries(loads)) {
    const rounds = []
    for (let round = 0; round < (context.quick ? 1 : 3); round++)
      rounds.push(await untilEnd(context, load))
    const resets = rounds.reduce((sum, { resets }) => sum + resets, 0)
    rows.push(
      toBoundRow(
        `SIGTERM to exit: ${name}${resets > 0 ? ` (${resets} resets)` : ''}`,
        rounds.map(({ milliseconds }) => milliseconds),
        { below: 2_250 },
        ' ms',
      ),
    )
  }
  return { rows }
}

async function untilEnd(context, load) {
  const program = await startReady([
    toServeFile(context.dist),
    'serve',
    '--port',
    '0',
    '--log',
    'json',
    '--assume',
    'plants.rate-limits=off',
    ...roomForWrites,
  ])
  const server = {
    url: program.ready.plants_url,
    port: Number(new URL(program.ready.plants_url).port),
    sockets: [],
    resets: 0,
  }
  const stopLoad = await load(server)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const exited = once(program.child, 'exit')
  const began = performance.now()
  program.child.kill('SIGTERM')
  const timer = setTimeout(() => program.child.kill('SIGKILL'), longest)
  await exited
  clearTimeout(timer)
  const milliseconds = performance.now() - began
  if (typeof stopLoad === 'function') await stopLoad()
  for (const socket of server.sockets) socket.destroy()
  return { milliseconds, resets: server.resets }
}

async function open({ port, sockets }, count, bytes) {
  const opened = []
  while (opened.length < count) {
    const some = Array.from({ length: Math.min(200, count - opened.length) }, () =>
      connect({ port, host: '127.0.0.1', allowHalfOpen: true })
        .on('error', () => undefined)
        .resume(),
    )
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const socket of some) if (bytes !== '') socket.write(bytes)
    opened.push(...some)
  }
  sockets.push(...opened)
  return opened
}

async function hang({ url }, receivers, events) {
  const server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hook = `http://127.0.0.1:${server.address().port}/`
  for (let count = 0; count < receivers; count++)
    await post(`${url}/v1/webhooks`, { url: hook, events: ['plant.created'] })
  for (let id = 9_000; id < 9_000 + events; id++) await post(`${url}/plants`, { id, name: 'Fern' })
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

/**
 * Clients in a process of their own would be fairer; here they share one thread, which makes a
 * crossing less likely, not more.
 */
async function keepBusy(server, count) {
  const { Agent } = await import('node:http')
  for (let client = 0; client < count; client++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const next = () =>
      request(
        `${server.url}/plants?limit=3`,
        { agent, headers: { Authorization: json.Authorization } },
        (response) => {
          response
            .on('end', () => (response.headers.connection === 'close' ? agent.destroy() : next()))
            .resume()
        },
      )
        .on('error', () => {
          server.resets++
          agent.destroy()
        })
        .end()
    next()
  }
}

async function fill({ url }) {
  const name = 'x'.repeat(900_000)
  for (let id = 9_000; id < 9_550; id++) await post(`${url}/plants`, { id, name })
}

async function post(url, body) {
  const reply = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`POST ${url} was answered ${reply.status}: ${text}`)
}
