import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { fetchOnce, toKeyRequest, toServeFile } from '../greenhouse.mjs'
import { startReady } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { toRow } from '../table.mjs'

/**
 * Milliseconds from spawning `greenhouse-mock serve`, with the fixtures it ships, to its first 200,
 * beside a bare script that says when it listens in the same way.
 */
export async function measure(context) {
  const ours = [toServeFile(context.dist), 'serve', '--port', '0', '--log', 'json']
  const bare = [fileURLToPath(new URL('../servers/smallest.mjs', import.meta.url))]
  const servers = [ours, bare]
  for (const args of servers) await untilFirstReply(args)
  const times = await inTurn(servers, context.quick ? 7 : 21, untilFirstReply)
  const title = 'spawn to first 200'
  return {
    rows: [
      toRow(
        `${title} : bare node:http script`,
        times.get(ours),
        times.get(bare),
        { atMost: 1.2 },
        ' ms',
      ),
    ],
  }
}

async function untilFirstReply(args) {
  const began = performance.now()
  const server = await startReady(args)
  const [key = 'any'] = Object.keys(server.ready.keys)
  await fetchOnce(
    Number(new URL(server.ready.plants_url).port),
    toKeyRequest('GET', '/plants?limit=20', key),
  )
  const milliseconds = performance.now() - began
  // An end in order, which is when Node keeps what it compiled.
  const ended = once(server.child, 'close')
  server.child.kill('SIGTERM')
  await ended
  return milliseconds
}
