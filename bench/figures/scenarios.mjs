import { startPlain } from '../lists.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

const three = ['malformed-plant', 'duplicate-ids', 'wrong-rate-limit-headers'].flatMap((name) => ['--scenario', name])

const cases = [
  ['one that is active and meant for other operations', { options: ['--scenario', 'server-error:on=apps.*'] }],
  ['three that are active and act', { options: three }],
  ['one in the header', { headers: { 'X-Greenhouse-Scenario': 'malformed-plant:field=tag' } }],
]

/** Replies per second under scenarios, beside none. */
export async function measure(context) {
  const rows = []
  for (const [title, settings] of cases) {
    const { rounds } = await measureServers(context, [
      () => startPlain(context.dist, settings),
      () => startPlain(context.dist),
    ])
    rows.push(toServerRow(`GET 20 plants, scenarios: ${title} : none`, ...rounds, { atLeast: 0.85 }))
  }
  return { rows }
}
