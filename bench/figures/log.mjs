import { startPlain } from '../lists.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

/** Replies per second with a log, read through a pipe, beside none. */
export async function measure(context) {
  const rows = []
  for (const format of ['json', 'pretty']) {
    const { rounds } = await measureServers(context, [
      () => startPlain(context.dist, { options: ['--log', format] }),
      () => startPlain(context.dist),
    ])
    rows.push(toServerRow(`GET 20 plants, log ${format} : silent`, ...rounds, { atLeast: 0.9 }))
  }
  return { rows }
}
