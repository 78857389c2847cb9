import {
  fetchOnce,
  ownFixtures,
  roomForWrites,
  startAsNpx,
  startBareAs,
  startGreenhouse,
  toKeyRequest,
} from '../greenhouse.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

const firstId = 1_000_000_000
const mark = '@'

/** Creations of a plant per second, each with a new id, beside a bare server that parses the same body and answers the same number of bytes. */
export async function measure(context) {
  const creations = { parts: toCreation(mark).split(mark), first: firstId + 1 }
  const request = toCreation(firstId)
  let reply
  const startBy = (start) => async () => {
    const server = await start(context.dist, '--fixtures', ownFixtures, ...roomForWrites)
    reply = await fetchOnce(server.port, request)
    return { ...server, ...creations }
  }
  const bare = async () => ({
    ...(await startBareAs(context, 'post', { requests: [request], reply }, '--read-body')),
    requests: undefined,
    ...creations,
  })
  const { rounds } = await measureServers(context, [startBy(startGreenhouse), bare, startBy(startAsNpx)])
  const [ours, bares, byNpx] = rounds
  return {
    rows: [
      toServerRow('POST a plant : bare node:http', ours, bares, { atLeast: 0.8 }),
      toServerRow('POST a plant, started by npx : bare node:http', byNpx, bares),
    ],
  }
}

function toCreation(id) {
  const body = (number) => `{"id":${number},"name":"Plant ${number}","tag":"bench"}`
  return toKeyRequest('POST', '/plants', 'key_pro_plus', body(firstId)).replace(body(firstId), body(id))
}
