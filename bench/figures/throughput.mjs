import { besideBare } from '../beside-bare.mjs'
import { path, startPlain, startWithQuota } from '../lists.mjs'
import { installPeers, peers } from '../peers/index.mjs'
import { fetchOnce, toKeyRequest } from '../greenhouse.mjs'
import { measureServers } from '../rounds.mjs'
import { toMissingRow, toServerRow } from '../table.mjs'
import { measureWithWrk } from '../wrk.mjs'

/**
 * Replies per second to a list of 20 plants: Greenhouse with plan quotas off and on, the bare
 * server with the same bytes, the other products.
 */
export async function measure(context) {
  const rows = []
  const off = await besideBare(context, 'plain', () => startPlain(context.dist))
  const [ours, bare] = off.rounds
  rows.push(toServerRow('GET 20 plants, quota off : bare node:http', ours, bare, { atLeast: 0.95 }))
  const expected = off.reply()
  const withQuota = () => startWithQuota(context, expected)
  const on = await besideBare(context, 'quota', withQuota)
  rows.push(
    toServerRow('GET 20 plants, quota on : bare node:http', ...on.rounds, { atLeast: 0.85 }),
  )
  rows.push(await measureWithWrk(context, 'GET 20 plants, quota off, by wrk : bare node:http'))

  const installed = context.peers ? await installPeers().catch((error) => error) : undefined
  for (const peer of context.peers ? peers : []) {
    const name = `GET 20 plants, quota on : ${peer.title}`
    const target = { atLeast: peer.atLeast }
    try {
      if (installed) throw installed
      const { rounds } = await measureServers(context, [
        withQuota,
        () => startPeer(context, peer, expected.body),
      ])
      rows.push(toServerRow(name, ...rounds, target))
    } catch (error) {
      rows.push(toMissingRow(name, error, target))
    }
  }
  return {
    rows,
    notes: [
      `Load generator while the bare server ran: ${Math.round(off.busy[1] * 100)} % of a core.`,
    ],
  }
}

async function startPeer(context, peer, body) {
  const request = toKeyRequest('GET', peer.path ?? path, 'key_pro_plus')
  const server = await peer.start({ body, folder: context.folder })
  const reply = await fetchOnce(server.port, request)
  if (JSON.stringify(JSON.parse(reply.body)) !== JSON.stringify(JSON.parse(body)))
    throw new Error(`it answered other plants: ${reply.body.slice(0, 200)}`)
  return { ...server, requests: [request] }
}
