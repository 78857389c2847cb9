import { besideBare } from '../beside-bare.mjs'
import { startPlain } from '../lists.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

const three = ['malformed-plant', 'duplicate-ids', 'wrong-rate-limit-headers'].flatMap((name) => [
  '--scenario',
  name,
])

const cases = [
  [
    'one that is active and meant for other operations',
    { options: ['--scenario', 'server-error:on=apps.*'] },
  ],
  ['one in the header', { headers: { 'X-Greenhouse-Scenario': 'malformed-plant:field=tag' } }],
]

/**
 * Replies per second under scenarios, beside none; of those that change the reply beside a bare
 * server, because their replies are larger.
 */
export async function measure(context) {
  const rows = []
  for (const [title, settings] of cases) {
    const { rounds } = await measureServers(context, [
      () => startPlain(context.dist, settings),
      () => startPlain(context.dist),
    ])
    rows.push(
      toServerRow(`GET 20 plants, scenarios: ${title} : none`, ...rounds, { atLeast: 0.85 }),
    )
  }
  const acting = await besideBare(context, 'scenarios', () =>
    startPlain(context.dist, { options: three }),
  )
  const title = 'GET 20 plants, scenarios: three that are active and act : bare node:http'
  rows.push(toServerRow(title, ...acting.rounds, { atLeast: 0.82 }))
  return { rows }
}
