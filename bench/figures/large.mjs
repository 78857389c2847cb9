import { startWorker } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { median } from '../statistics.mjs'
import { toBoundRow, toRow } from '../table.mjs'

const sizes = [100, 100_000, 1_000_000]

/**
 * Worlds of 100, 100,000 and 1,000,000 plants from fixtures, in processes of their own: memory,
 * deletes, the first write after a snapshot.
 */
export async function measure(context) {
  const worlds = []
  for (const count of sizes) {
    const worker = startWorker('large.mjs', ['--max-old-space-size=6144'])
    const { bytes } = await worker.call('open', { dist: context.dist, count })
    worlds.push({ worker, count, bytes })
    await worker.call('delete', { count: 1_000 })
  }
  const measureAll = async (name, job, rounds) => {
    const runs = await inTurn(worlds, rounds, async ({ worker }) =>
      median(await worker.call(name, job)),
    )
    return worlds.map((world) => runs.get(world))
  }
  const deletes = await measureAll('delete', { count: 300 }, context.quick ? 3 : 15)
  const writes = await measureAll('writeAfterSnapshot', { count: 3 }, context.quick ? 2 : 5)
  const besideSmall = (title, times, large) =>
    toRow(
      `${title}, ${sizes[large].toLocaleString('en')} plants : 100`,
      times[large],
      times[0],
      { atMost: 1.5 },
      ' µs',
    )
  return {
    rows: [
      besideSmall('delete', deletes, 1),
      besideSmall('delete', deletes, 2),
      besideSmall('first write after a snapshot', writes, 2),
      toBoundRow('memory of a plant among 1,000,000', [worlds[2].bytes], { atMost: 250 }, ' bytes'),
    ],
  }
}
