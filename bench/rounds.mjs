import { startWorker } from './processes.mjs'

/** Starts the load generator: 32 connections. `load(port, job)` gives the replies per second; a reply other than 200 is an error. */
export function startLoad() {
  const worker = startWorker('load.mjs')
  const numbers = new Map()
  const generator = { stop: worker.stop, busy: new Map(), load }
  return generator

  async function load(port, job) {
    const first = numbers.get(port) ?? job.first ?? 0
    const { perSecond, busy, next, failures, failed } = await worker.call('run', {
      ...job,
      port,
      first,
      connections: 32,
    })
    numbers.set(port, next)
    generator.busy.set(port, busy)
    if (failures) throw new Error(`${failures} requests failed, the first with: ${failed}`)
    return perSecond
  }
}

/** Runs every contender once a round, in turn, starting with another one each time; gives each one's results in order. */
export async function inTurn(contenders, rounds, run) {
  const results = new Map(contenders.map((contender) => [contender, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const contender = contenders[(round + turn) % contenders.length]
      results.get(contender).push(await run(contender))
    }
  }
  return results
}
