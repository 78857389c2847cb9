import { toIso } from '../core/time/time-text.ts'
import type { DueWork } from '../core/time/due-work.ts'
import { dueOf } from '../greenhouse/inspect/due.ts'
import { liveOf } from '../greenhouse/assembly/live.ts'
import type { World } from '../greenhouse/world.ts'
import type { DoneWork, DueSummary, List } from './answers.ts'
import { maxListed, readLimit } from './list-parts.ts'
import { waitFor } from './settled.ts'
import { showClock } from './views.ts'

export function listDue(world: World, query: unknown): List<DueSummary> {
  const count = readLimit(query)
  const data: DueSummary[] = []
  for (const work of dueOf(liveOf(world))) if (data.push(showDue(work)) >= count) break
  return { data: data.slice(0, count) }
}

export async function runNext(world: World): Promise<DoneWork> {
  const live = liveOf(world)
  live.catchUp()
  const together: DueWork[] = []
  for (const work of dueOf(live)) {
    if (together.length >= maxListed || (together[0] && work.at > together[0].at)) break
    together.push(work)
  }
  const [next] = together
  if (!next) return { clock: showClock(world), done: [] }
  if (next.at > world.clock.now()) world.clock.set(next.at)
  await waitFor(world.settled())
  return { clock: showClock(world), done: together.map(showDue) }
}

function showDue({ at, kind, title, subject }: DueWork): DueSummary {
  return { at: toIso(at), kind, title, ...(subject && { subject }) }
}
