import { toIso } from '../core/time/clock.ts'
import type { DueWork } from '../core/time/due-work.ts'
import { dueOf } from '../greenhouse/inspect/due.ts'
import { liveOf } from '../greenhouse/live.ts'
import type { World } from '../greenhouse/world.ts'
import type { DoneWork, DueSummary, List } from './answers.ts'
import { check } from './body.ts'
import { limitQuerySchema } from './schemas.ts'
import { settledWithin } from './settled.ts'
import { showClock } from './views.ts'

/** How much that is due a list has where the call does not say, and at most. */
const usual = 100
const most = 1_000

/** What falls due, soonest first. @throws ControlError */
export function listDue(world: World, query: unknown): List<DueSummary> {
  const { limit = String(usual) } = check(limitQuerySchema, query)
  const count = Math.min(most, Number(limit))
  const data: DueSummary[] = []
  for (const work of dueOf(liveOf(world))) if (data.push(showDue(work)) >= count) break
  return { data: data.slice(0, count) }
}

/** Moves the clock to what is due next, and answers once that is done; where nothing is due, nothing happens. */
export async function runNext(world: World): Promise<DoneWork> {
  const live = liveOf(world)
  live.catchUp()
  const together: DueWork[] = []
  for (const work of dueOf(live)) {
    if (together.length >= most || (together[0] && work.at > together[0].at)) break
    together.push(work)
  }
  const [next] = together
  if (!next) return { clock: showClock(world), done: [] }
  if (next.at > world.clock.now()) world.clock.set(next.at)
  await settledWithin(world)
  return { clock: showClock(world), done: together.map(showDue) }
}

function showDue({ at, kind, title, subject }: DueWork): DueSummary {
  return { at: toIso(at), kind, title, ...(subject && { subject }) }
}
