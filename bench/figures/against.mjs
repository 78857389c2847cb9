import { startPlain } from '../lists.mjs'
import { measureServers } from '../rounds.mjs'
import { toServerRow } from '../table.mjs'

/** Replies per second of this build beside another one (`--against FOLDER`). */
export async function measure(context) {
  if (!context.against) throw new Error('name another build with --against')
  const { rounds } = await measureServers(
    context,
    [context.dist, context.against].map((dist) => () => startPlain(dist)),
  )
  return {
    rows: [
      toServerRow('GET 20 plants, no scenario : the other build', ...rounds, { atLeast: 0.98 }),
    ],
  }
}
