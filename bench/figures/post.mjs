import { fetchOnce, ownFixtures, startBareAs, startGreenhouse, toKeyRequest } from '../greenhouse.mjs'
import { inTurn, startLoad } from '../rounds.mjs'
import { toRow } from '../table.mjs'

const firstId = 1_000_000_000

/** Creations of a plant per second, each with a new id, beside a bare server that parses the same body and answers the same number of bytes. */
export async function measure(context) {
  const mark = '@'
  const parts = toCreation(mark).split(mark)
  const request = toCreation(firstId)
  const server = await startGreenhouse(context.dist, '--fixtures', ownFixtures)
  const greenhouse = { ...server, requests: [request], reply: await fetchOnce(server.port, request) }
  const bare = await startBareAs(context, 'post', greenhouse, '--read-body')

  const { load } = startLoad()
  const run = (one, milliseconds) => load(one.port, { parts, first: firstId + 1, milliseconds })
  for (const one of [greenhouse, bare]) await run(one, context.quick ? 500 : 1_500)
  const rates = await inTurn([greenhouse, bare], context.quick ? 3 : 9, (one) => run(one, context.quick ? 500 : 1_200))
  return {
    rows: [toRow('POST a plant : bare node:http', rates.get(greenhouse), rates.get(bare), { atLeast: 0.5 }, '/s')],
  }
}

function toCreation(id) {
  const body = (number) => `{"id":${number},"name":"Plant ${number}","tag":"bench"}`
  return toKeyRequest('POST', '/plants', 'key_pro_plus', body(firstId)).replace(body(firstId), body(id))
}
