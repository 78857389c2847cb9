import { startWorker } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { toRow } from '../table.mjs'

/**
 * Microseconds of a fetch of 20 plants under MSW in one process, beside a plain handler with the
 * same bytes. Several pairs of processes, since each is compiled in its own way.
 */
export async function measure(context) {
  const ours = []
  const theirs = []
  for (let pair = 0; pair < (context.quick ? 1 : 4); pair++) {
    const greenhouse = startWorker('msw.mjs')
    const bare = startWorker('msw.mjs')
    await bare.call('listenBare', await greenhouse.call('listenGreenhouse', { dist: context.dist }))
    for (const worker of [greenhouse, bare]) await worker.call('run', { count: 2_000 })
    const times = await inTurn([greenhouse, bare], context.quick ? 5 : 10, (worker) =>
      worker.call('run', { count: 500 }),
    )
    ours.push(...times.get(greenhouse))
    theirs.push(...times.get(bare))
    await Promise.all([greenhouse.stop(), bare.stop()])
  }
  return {
    rows: [toRow('GET 20 plants under MSW : plain http.get', ours, theirs, { atMost: 1.3 }, ' µs')],
  }
}
