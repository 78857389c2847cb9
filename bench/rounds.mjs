import { processorTimeOf, startWorker } from './processes.mjs'

/**
 * How long a server is warmed up, in milliseconds: a cold one gives a third less in its first
 * second.
 */
const warmUp = 4_000

/**
 * How long it is loaded again before each measurement, in milliseconds: one that idled has lost its
 * young generation.
 */
const settling = 400

/**
 * Starts the load generator: 32 connections. `measure(contender, milliseconds)` gives the replies
 * per second, and the microseconds of processor time that the server took for each, where the
 * system tells. A reply other than 200 is an error.
 */
export function startLoad() {
  const worker = startWorker('load.mjs')
  const numbers = new Map()
  const generator = {
    stop: worker.stop,
    busy: new Map(),
    warmUp: (one) => load(one, warmUp),
    measure,
  }
  return generator

  async function measure(one, milliseconds) {
    await load(one, settling)
    const before = processorTimeOf(one.child)
    const { perSecond, busy, replies } = await load(one, milliseconds)
    const after = processorTimeOf(one.child)
    generator.busy.set(one, busy)
    return {
      perSecond,
      cost: before === undefined || after === undefined ? NaN : (after - before) / replies,
    }
  }

  async function load({ port, requests, parts, first = 0 }, milliseconds) {
    const connections = 32
    const job = {
      requests,
      parts,
      milliseconds,
      port,
      connections,
      first: numbers.get(port) ?? first,
    }
    const { next, failures, failed, ...figures } = await worker.call('run', job)
    numbers.set(port, next)
    if (!failures && !(figures.replies > 0)) throw new Error('no request was answered')
    if (failures) throw new Error(`${failures} requests failed, the first with: ${failed}`)
    return figures
  }
}

/**
 * Measures servers beside each other, several times, each time in new processes, since Node
 * compiles the same code better in one than in another. `starts` gives each one's `child`, `port`
 * and what to ask; all are warmed up, then take turns. Gives the rounds of each: `{ perSecond, cost
 * }`, and how busy the load generator was with it.
 */
export async function measureServers(context, starts) {
  const rounds = starts.map(() => [])
  const busy = starts.map(() => 0)
  for (let process = 0; process < (context.quick ? 1 : 3); process++) {
    const load = startLoad()
    const servers = []
    try {
      for (const start of starts) servers.push(await start())
      for (const server of servers) await load.warmUp(server)
      const results = await inTurn(servers, context.quick ? 3 : 5, (one) =>
        load.measure(one, context.quick ? 500 : 1_200),
      )
      servers.forEach((server, number) => {
        rounds[number].push(...results.get(server))
        busy[number] = Math.max(busy[number], load.busy.get(server))
      })
    } finally {
      await Promise.all([load, ...servers].map((program) => program.stop()))
    }
  }
  return { rounds, busy }
}

/**
 * Runs every contender once a round, in turn, starting with another one each time; gives each one's
 * results in order.
 */
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
