import { createClock } from '../core/clock.ts'
import type { World } from '../world.ts'

/** How long a control call waits for what it brought about, in milliseconds of real time. */
const patience = 10_000

/** Waits until all that is due is done, but not for ever: a receiver of webhooks may never answer. */
export async function settledWithin(world: World): Promise<void> {
  let stopWaiting = () => {}
  await Promise.race([world.settled(), createClock().wait(patience, (stop) => (stopWaiting = stop))])
  stopWaiting()
}
