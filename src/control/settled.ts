import { after } from '../core/time/clock.ts'
import type { World } from '../greenhouse/world.ts'

/** How long a control call waits for the work that it started, in milliseconds of real time. */
const longestWait = 10_000

/** Waits until all due work is done, but not forever: a receiver of webhooks may never answer. */
export async function settledWithin(world: World): Promise<void> {
  // The caller's connection keeps the process, and nothing does when that is gone.
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = after(longestWait, resolve, false)
    world.settled().finally(stopWaiting).then(resolve, reject)
  })
}
