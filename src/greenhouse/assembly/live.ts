import { sharedByBuilds } from '../../core/definitions/across-builds.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

/**
 * Running worlds, by their public worlds. A world may come from the build for `import` and be used by the build for `require`.
 */
const liveWorlds = sharedByBuilds('worlds', () => new WeakMap<object, LiveWorld>())

/** Returns the running world of a public one. */
export function liveOf(world: object): LiveWorld {
  return liveWorlds.get(world)!
}

/** Connects a public world to its running one. */
export function setLive<T extends object>(world: T, live: LiveWorld): T {
  liveWorlds.set(world, live)
  return world
}
