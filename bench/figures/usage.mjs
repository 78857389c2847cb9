import { startWorker } from '../processes.mjs'
import { median } from '../statistics.mjs'
import { toBoundRow } from '../table.mjs'

/**
 * Milliseconds of an account's usage over 100,000 messages when nothing changed since it was last
 * asked for.
 */
export async function measure(context) {
  const runs = []
  for (let process = 0; process < (context.quick ? 1 : 3); process++) {
    const worker = startWorker('usage.mjs')
    await worker.call('open', { dist: context.dist, count: 100_000 })
    await worker.call('run', { times: 20 })
    runs.push(median(await worker.call('run', { times: 50 })))
    await worker.stop()
  }
  return {
    rows: [toBoundRow('usage of 100,000 messages, nothing changed', runs, { atMost: 1 }, ' ms')],
  }
}
