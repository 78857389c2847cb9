import { Agent, get } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startBareAs, toServeFile } from '../greenhouse.mjs'
import { path, startPlain } from '../lists.mjs'
import { installPeers, startHttpProxy, startPrismProxy } from '../peers/index.mjs'
import { startNodeOnPort } from '../processes.mjs'
import { inTurn, measureServers } from '../rounds.mjs'
import { median } from '../statistics.mjs'
import { toMissingRow, toRow, toServerRow } from '../table.mjs'

const forwarder = fileURLToPath(new URL('../servers/forward.mjs', import.meta.url))

/** A list of 20 plants of a bare server, through Greenhouse and through other proxies. */
export async function measure(context) {
  const plain = await startPlain(context.dist)
  await plain.stop()
  const target = await startBareAs(context, 'proxy', plain)
  const url = `http://127.0.0.1:${target.port}`
  const { requests, reply } = plain
  const withRequests = (start) => async () => ({ ...(await start()), requests })
  const ours = withRequests(() => startProxy(context.dist, url, requests[0]))
  const bare = withRequests(() => startNodeOnPort((port) => [forwarder, url, port], requests[0]))
  const rows = []
  const { rounds } = await measureServers(context, [ours, bare])
  rows.push(toServerRow('GET 20 plants through proxy : bare forwarder', ...rounds))
  const peers = [
    ['http-proxy-3', (from) => startHttpProxy(url, from)],
    [
      "Prism's proxy",
      (from) => startPrismProxy(url, from, { body: reply.body, folder: context.folder }),
    ],
  ]
  const installed = context.peers ? await installPeers().catch((error) => error) : undefined
  for (const [title, start] of context.peers ? peers : []) {
    const figure = `GET 20 plants through proxy : ${title}`
    try {
      if (installed) throw installed
      const measured = await measureServers(context, [ours, withRequests(() => start(requests[0]))])
      rows.push(toServerRow(figure, ...measured.rounds, { atLeast: 1 }))
    } catch (error) {
      rows.push(toMissingRow(figure, error, { atLeast: 1 }))
    }
  }
  rows.push(await measureLatency(context, { ours, bare, target: { ...target, requests } }))
  await target.stop()
  return { rows }
}

const startProxy = (dist, url, request) =>
  startNodeOnPort(
    (port) => [
      toServeFile(dist),
      'proxy',
      '--target-plants',
      url,
      '--port',
      port,
      '--log',
      'silent',
    ],
    request,
  )

/**
 * What a proxy adds to the median of requests that follow each other on one connection, in
 * microseconds.
 */
async function measureLatency({ quick }, { ours, bare, target }) {
  const servers = [await ours(), await bare(), target]
  const count = quick ? 300 : 2_000
  for (const { port } of servers) await medianOf(port, count)
  const results = await inTurn(servers, quick ? 3 : 7, ({ port }) => medianOf(port, count))
  await Promise.all(servers.slice(0, 2).map((server) => server.stop()))
  const direct = median(results.get(target))
  const [added, least] = servers
    .slice(0, 2)
    .map((server) => results.get(server).map((one) => one - direct))
  return toRow('added latency at the median : bare forwarder', added, least, { atMost: 1.5 }, ' µs')
}

async function medianOf(port, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = []
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now()
    await new Promise((resolve, reject) => {
      const headers = { Authorization: 'Bearer key_pro_plus' }
      get({ host: '127.0.0.1', port, path, agent, headers }, (reply) =>
        reply.resume().on('end', resolve),
      ).on('error', reject)
    })
    times.push((performance.now() - began) * 1_000)
  }
  agent.destroy()
  return median(times)
}
