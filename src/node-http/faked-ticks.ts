import { after } from '../core/time/clock.ts'
import { ticksAreFaked } from '../core/time/system-time.ts'

/** How often it is looked whether `process.nextTick` is faked, in milliseconds. */
const beat = 1_000

const advice =
  "Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."

/** Why a server can't start. */
export const whyNoStart = `process.nextTick is faked, and Node's own HTTP server waits for it. ${advice}`

/**
 * Says so once, on the console, where `process.nextTick` has been faked for a second or two while a server runs: every request
 * of this process then hangs, before the server hears of it. Returns what ends it.
 */
export function watchTicks(url: string): () => void {
  let wasFaked = false
  let stop = () => {}
  const look = () => {
    const isFaked = ticksAreFaked()
    // A test that fakes it for a moment and asks nothing is none of our business.
    if (isFaked && wasFaked)
      return console.error(
        `process.nextTick is faked while Greenhouse serves ${url}: requests of this process to any server hang, since Node's own http and fetch wait for it. ${advice}`,
      )
    wasFaked = isFaked
    stop = after(beat, look, false)
  }
  stop = after(beat, look, false)
  return () => stop()
}
