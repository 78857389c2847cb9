import { sharedByBuilds } from '../core/definitions/across-builds.ts'
import type { LiveWorld } from '../core/world/live-world.ts'

/** By the world that users see, which may come from the build for `import` and be served by that for `require`. */
const lives = sharedByBuilds('worlds', () => new WeakMap<object, LiveWorld>())

/** The world behind the one that users see. */
export function liveOf(world: object): LiveWorld {
  return lives.get(world)!
}

/** Notes which world is behind one that users see. */
export function setLive<T extends object>(world: T, live: LiveWorld): T {
  lives.set(world, live)
  return world
}
