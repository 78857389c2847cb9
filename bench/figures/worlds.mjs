import { startWorker } from '../processes.mjs'
import { toBoundRow } from '../table.mjs'

const count = 10_000

/**
 * Memory and time of 10,000 worlds with the fixtures that come with the package, each touched once
 * through `greenhouse.fetch` in one process, and time of their resets.
 */
export async function measure(context) {
  const rows = []
  for (const [kind, title, kib] of [
    ['list', 'a list', 5],
    ['create', 'a creation', 8],
  ]) {
    const runs = []
    for (let process = 0; process < (context.quick ? 1 : 3); process++) {
      const worker = startWorker('worlds.mjs')
      await worker.call('open', { dist: context.dist })
      runs.push(await worker.call('run', { kind, count }))
      await worker.stop()
    }
    rows.push(
      toBoundRow(
        `memory of a world after ${title}`,
        runs.map((run) => run.kib),
        { below: kib },
        ' KiB',
      ),
      toBoundRow(
        `a world's first use, ${title}`,
        runs.map(({ touch }) => touch),
        { below: 300 },
        ' µs',
      ),
      toBoundRow(
        `reset after ${title}`,
        runs.map(({ reset }) => reset),
        { below: 1_000 },
        ' µs',
      ),
    )
  }
  return { rows }
}
