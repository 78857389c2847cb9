import {
  fetchOnce,
  ownFixtures,
  roomForWrites,
  startBareAs,
  startGreenhouse,
  toKeyRequest,
} from '../greenhouse.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

const firstId = 1_000_000_000
const mark = '@'

/**
 * Creations of a plant per second, each with a new id, beside a bare server that parses the same
 * body and answers the same number of bytes.
 */
export async function measure(context) {
  const creations = { parts: toCreation(mark).split(mark), first: firstId + 1 }
  const request = toCreation(firstId)
  let reply
  const ofOurs = async () => {
    const server = await startGreenhouse(context.dist, '--fixtures', ownFixtures, ...roomForWrites)
    reply = await fetchOnce(server.port, request)
    return { ...server, ...creations }
  }
  const bare = async () => ({
    ...(await startBareAs(context, 'post', { requests: [request], reply }, '--read-body')),
    requests: undefined,
    ...creations,
  })
  const { rounds } = await measureServers(context, [ofOurs, bare])
  const [ours, bares] = rounds
  return {
    rows: [toServerRow('POST a plant : bare node:http', ours, bares, { atLeast: 0.8 })],
  }
}

function toCreation(id) {
  const body = (number) => `{"id":${number},"name":"Plant ${number}","tag":"bench"}`
  return toKeyRequest('POST', '/plants', 'key_pro_plus', body(firstId)).replace(
    body(firstId),
    body(id),
  )
}
