import { startWorker } from '../processes.mjs'
import { inTurn } from '../rounds.mjs'
import { median } from '../statistics.mjs'
import { toRow } from '../table.mjs'

/** What the targets speak of; how long the whole of a delete takes is told beside them. */
const targeted = new Set(['create', 'list', 'lookup'])

const kinds = {
  create: 'create',
  list: 'list, limit=20',
  lookup: "delete's lookup",
  delete: 'whole delete',
  seeded: "whole delete of a fixture's plant",
}

/**
 * Microseconds of an operation in a world of 100,000 plants, beside a world of 100, through
 * `greenhouse.fetch` in one process.
 */
export async function measure(context) {
  const times = new Map()
  for (let pair = 0; pair < (context.quick ? 1 : 3); pair++) {
    const worlds = []
    for (const count of [100_000, 100]) {
      const world = startWorker('scale.mjs')
      await world.call('open', { dist: context.dist, count })
      await world.call('run', { count: 1_000 })
      worlds.push(world)
    }
    const runs = await inTurn(worlds, context.quick ? 5 : 20, (world) =>
      world.call('run', { count: 300 }),
    )
    worlds.forEach((world, size) =>
      times.set(size, [...(times.get(size) ?? []), ...runs.get(world)]),
    )
    await Promise.all(worlds.map((world) => world.stop()))
  }
  const toMedians = (size, kind) => times.get(size).map((run) => median(run[kind]))
  const rows = Object.entries(kinds).map(([kind, title]) =>
    toRow(
      `${title}, 100,000 plants : 100`,
      toMedians(0, kind),
      toMedians(1, kind),
      targeted.has(kind) ? { atMost: 1.5 } : undefined,
      ' µs',
    ),
  )
  return { rows }
}
