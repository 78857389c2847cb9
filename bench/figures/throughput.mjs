import { join } from 'node:path'
import { fetchOnce, ownFixtures, startBareAs, startGreenhouse, toKeyRequest, writeManyKeys } from '../greenhouse.mjs'
import { installPeers, peers } from '../peers/index.mjs'
import { inTurn, startLoad } from '../rounds.mjs'
import { toRow } from '../table.mjs'

const path = '/plants?limit=20'
const keys = 3_000

/** Replies per second to a list of 20 plants: Greenhouse with plan quotas off and on, the bare server with the same bytes, the other products. */
export async function measure(context) {
  const plain = await startPlain()
  const plainBare = { title: 'bare node:http', atLeast: 0.6, ...(await startBareAs(context, 'plain', plain)) }
  const quota = await attempt({}, () => startWithQuota(context, plain.reply))
  const subject = quota.missing ? plain : quota
  const quotaBare = { title: 'bare node:http', atLeast: 0.6, ...(await startBareAs(context, 'quota', subject)) }
  const others = context.peers ? await startPeers(context, plain.reply.body) : []

  const contenders = [plain, plainBare, quota, quotaBare, ...others].filter((one) => !one.missing)
  const { load, busy } = startLoad()
  const run = (one, milliseconds) => attemptOther(one, () => load(one.port, { requests: one.requests, milliseconds }))
  for (const one of contenders) await run(one, context.quick ? 500 : (one.warmUp ?? 1_500))
  const rates = await inTurn(contenders, context.quick ? 3 : 7, (one) => run(one, context.quick ? 500 : 1_200))

  const toRateRow = (name, ours, theirs) => {
    const title = `${name} : ${theirs.title}`
    return toRow(
      title,
      rates.get(ours),
      rates.get(theirs),
      { atLeast: theirs.atLeast },
      '/s',
      ours.missing ?? theirs.missing,
    )
  }
  const name = `GET 20 plants, quota ${subject === quota ? 'on' : 'off'}`
  return {
    rows: [
      toRateRow('GET 20 plants, quota off', plain, plainBare),
      toRateRow('GET 20 plants, quota on', quota, quotaBare),
      ...others.map((one) => toRateRow(name, subject, one)),
    ],
    notes: [`Load generator while the bare server ran: ${Math.round(busy.get(plainBare.port) * 100)} % of a core.`],
  }

  async function startPlain() {
    const server = await startGreenhouse(context.dist, '--fixtures', ownFixtures)
    const requests = [toKeyRequest('GET', path, 'key_pro_plus')]
    const reply = await fetchOnce(server.port, requests[0])
    if (JSON.parse(reply.body).length !== 20) throw new Error(`Expected 20 plants, not ${reply.body}`)
    return { ...server, requests, reply }
  }
}

async function startWithQuota(context, expected) {
  const folder = join(context.folder, 'many-keys')
  const secrets = writeManyKeys(folder, keys, JSON.parse(expected.body))
  const server = await startGreenhouse(
    context.dist,
    '--fixtures',
    folder,
    '--assume',
    'plants.rate-limits=on',
    '--assume',
    'rate-limit.scope=key',
  )
  const requests = secrets.map((key) => toKeyRequest('GET', path, key))
  const reply = await fetchOnce(server.port, requests[0])
  if (reply.body !== expected.body) throw new Error(`other plants came back: ${reply.body}`)
  if (!reply.headers.some(([name]) => name.toLowerCase() === 'x-ratelimit-limit'))
    throw new Error('the reply has no X-RateLimit-Limit')
  return { ...server, requests, reply }
}

async function startPeers(context, body) {
  const failure = await installPeers().catch((error) => error)
  const others = []
  for (const peer of peers) {
    const request = toKeyRequest('GET', peer.path ?? path, 'key_pro_plus')
    const other = { ...peer, requests: [request], other: true }
    others.push(
      await attempt(other, async () => {
        if (failure) throw failure
        const server = await peer.start({ body, folder: context.folder })
        const reply = await fetchOnce(server.port, request)
        const plants = JSON.parse(reply.body)
        if (JSON.stringify(plants) !== JSON.stringify(JSON.parse(body)))
          throw new Error(`it answered other plants: ${reply.body.slice(0, 200)}`)
        return server
      }),
    )
  }
  return others
}

async function attempt(contender, start) {
  try {
    return Object.assign(contender, await start())
  } catch (error) {
    return Object.assign(contender, { missing: error.message })
  }
}

async function attemptOther(contender, run) {
  if (contender.missing) return NaN
  try {
    return await run()
  } catch (error) {
    if (!contender.other) throw error
    contender.missing = error.message
    return NaN
  }
}
