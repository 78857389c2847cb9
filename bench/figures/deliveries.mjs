import { fileURLToPath } from 'node:url'
import { startReady, startWorker } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { toBoundRow, toRow } from '../table.mjs'

const title = '10 events to 1,000 webhooks'

/**
 * Milliseconds until 10 events have reached 1,000 webhooks, each time in a new process; beside
 * another build where one is named.
 */
export async function measure(context) {
  const receiver = await startReady([
    fileURLToPath(new URL('../servers/smallest.mjs', import.meta.url)),
  ])
  const deliver = async (dist) => {
    const worker = startWorker('deliveries.mjs')
    const job = { dist, receiver: receiver.ready.plants_url, webhooks: 1_000, events: 10 }
    const milliseconds = await worker.call('run', job)
    await worker.stop()
    return milliseconds
  }
  const builds = [context.dist, ...(context.against ? [context.against] : [])]
  const times = await inTurn(builds, context.quick ? 1 : 5, deliver)
  const [ours, theirs] = builds.map((dist) => times.get(dist))
  if (!theirs) return { rows: [toBoundRow(title, ours, undefined, ' ms')] }
  // 1.4 times as fast.
  return { rows: [toRow(`${title} : the other build`, ours, theirs, { atMost: 0.71 }, ' ms')] }
}
