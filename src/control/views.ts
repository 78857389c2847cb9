import { toIso } from '../core/time/time-text.ts'
import type { ActiveScenarios, ClockSummary, WorldSummary } from './answers.ts'
import type { LiveWorld } from '../core/world/live-world.ts'
import { liveOf } from '../api/assembly/live.ts'
import type { World } from '../api/world.ts'

export function showWorld(world: World): WorldSummary {
  const { name, seed, pinned, scenarios, snapshots, journal } = world
  return {
    name,
    seed,
    pinned,
    scenarios,
    used_up: liveOf(world)
      .active.filter(isUsedUp)
      .map((scenario) => scenario.name),
    clock: showClock(world),
    journal: { size: journal.size, evicted: journal.evicted },
    snapshots,
  }
}

function isUsedUp({ effects }: LiveWorld['active'][number]): boolean {
  return effects.length > 0 && effects.every((effect) => effect.isUsedUp?.() ?? false)
}

export function showScenarios({ active }: World): ActiveScenarios {
  return { active }
}

export function showClock({ clock }: World): ClockSummary {
  return { now: toIso(clock.now()), frozen: clock.frozen }
}
