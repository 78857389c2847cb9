import { Readable } from 'node:stream'
import { after } from '../core/time/clock.ts'
import { setImmediate, ticksAreFaked } from '../core/time/system-time.ts'

/** How often it is looked whether `process.nextTick` is faked, in milliseconds. */
const beat = 1_000

const advice =
  "Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."

/** Why a server can't start. */
export const whyNoStart = `process.nextTick is faked, and Node's own HTTP server waits for it. ${advice}`

/** Whether Node's own code waits for ticks that never come. Jest 30 shows a test its copy of `process`, whose fakes Node does not see. */
export async function ticksAreStuck(): Promise<boolean> {
  if (!ticksAreFaked()) return false
  let hasTicked = false
  new Readable().once('close', () => (hasTicked = true)).destroy()
  await new Promise<void>((resolve) => setImmediate(resolve))
  return !hasTicked
}

/**
 * Says so once, on the console, where `process.nextTick` has been faked for a second or two while a server runs: every request
 * of this process then hangs, before the server hears of it. Returns what ends it.
 */
export function watchTicks(url: string): () => void {
  let wasFaked = false
  let stop = () => {}
  let isOver = false
  const look = async () => {
    const isFaked = await ticksAreStuck()
    if (isOver) return
    // A test that fakes it for a moment and sends nothing needs no warning.
    if (isFaked && wasFaked)
      return console.error(
        `process.nextTick is faked while Greenhouse serves ${url}: requests of this process to any server hang, since Node's own http and fetch wait for it. ${advice}`,
      )
    wasFaked = isFaked
    stop = after(beat, () => void look(), false)
  }
  stop = after(beat, () => void look(), false)
  return () => {
    isOver = true
    stop()
  }
}
