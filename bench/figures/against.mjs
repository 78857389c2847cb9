import { fetchOnce, ownFixtures, startGreenhouse, toKeyRequest } from '../greenhouse.mjs'
import { inTurn, startLoad } from '../rounds.mjs'
import { toRow } from '../table.mjs'

const path = '/plants?limit=20'

/** Replies per second of this build beside another one (`--against FOLDER`), in pairs; and what scenarios cost beside none. */
export async function measure(context) {
  const here = { title: 'none', ...(await start(context.dist)) }
  const another = context.against && { title: 'the other build', atLeast: 0.98, ...(await start(context.against)) }
  const scenarios = [
    {
      title: 'one that is active and meant for other operations',
      ...(await start(context.dist, {}, '--scenario', 'server-error:on=apps.*')),
    },
    {
      title: 'three that are active and act',
      ...(await start(
        context.dist,
        {},
        '--scenario',
        'malformed-plant',
        '--scenario',
        'duplicate-ids',
        '--scenario',
        'wrong-rate-limit-headers',
      )),
    },
    {
      title: 'one in the header',
      ...(await start(context.dist, { 'X-Greenhouse-Scenario': 'malformed-plant:field=tag' })),
    },
  ]
  const contenders = [here, ...(another ? [another] : []), ...scenarios]
  const { load } = startLoad()
  const run = (one, milliseconds) => load(one.port, { requests: [one.request], milliseconds })
  for (const one of contenders) await run(one, context.quick ? 500 : 1_500)
  const rates = await inTurn(contenders, context.quick ? 3 : 12, (one) => run(one, context.quick ? 500 : 1_200))
  const row = (name, one, other) =>
    toRow(name, rates.get(one), rates.get(other), other.atLeast && { atLeast: other.atLeast }, '/s')
  return {
    rows: [
      ...(another ? [row('GET 20 plants, no scenario : the other build', here, another)] : []),
      ...scenarios.map((one) => row(`GET 20 plants, scenarios: ${one.title} : none`, one, here)),
    ],
  }
}

async function start(dist, headers = {}, ...options) {
  const server = await startGreenhouse(dist, '--fixtures', ownFixtures, ...options)
  const request = toKeyRequest('GET', path, 'key_pro_plus', undefined, headers)
  await fetchOnce(server.port, request)
  return { ...server, request }
}
