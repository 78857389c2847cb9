import type { LiveWorld } from '../core/world/live-world.ts'
import type { World } from './world.ts'

const lives = new WeakMap<World, LiveWorld>()

/** The world behind the one that users see. */
export function liveOf(world: World): LiveWorld {
  return lives.get(world)!
}

/** Notes which world is behind one that users see. */
export function setLive(world: World, live: LiveWorld): World {
  lives.set(world, live)
  return world
}
