import { sharedByBuilds } from '../../core/contract/across-builds.ts'
import type { LiveWorld } from '../../core/world/live-world.ts'

/** A world may come from the build for `import` and be used by the build for `require`. */
const live = sharedByBuilds('world', () => Symbol('live world'))

export function liveOf(world: object): LiveWorld {
  return (world as Record<symbol, LiveWorld>)[live]!
}

/** Connects a public world to its running one. A WeakMap would cost more than all else of a world. */
export function setLive<T extends object>(world: T, running: LiveWorld): T {
  return Object.defineProperty(world, live, { value: running })
}
