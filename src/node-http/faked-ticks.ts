import { Readable } from 'node:stream'
import { after } from '../core/time/clock.ts'
import { nextTurn, ticksAreFaked } from '../core/time/system-time.ts'

const checkInterval = 1_000

const advice =
  "Leave 'nextTick' and 'queueMicrotask' out of `toFake`; Sinon needs useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."

export const whyNoStart = `process.nextTick is faked, and Node's own HTTP server waits for it. ${advice}`

/** Whether a fake stops Node's own ticks. Jest 30 shows tests a copy of `process`, whose fakes do not affect Node. */
export async function ticksAreStuck(): Promise<boolean> {
  if (!ticksAreFaked()) return false
  let hasTicked = false
  new Readable().once('close', () => (hasTicked = true)).destroy()
  await nextTurn()
  return !hasTicked
}

/**
 * Warns once on the console if `process.nextTick` is faked for a second or two while a server runs: then every request
 * of this process hangs before the server sees it. Returns a function that ends the check.
 */
export function watchTicks(url: string): () => void {
  let wasFaked = false
  let stop = () => {}
  let isOver = false
  const check = async () => {
    const isFaked = await ticksAreStuck()
    if (isOver) return
    // A short fake without requests needs no warning.
    if (isFaked && wasFaked)
      return console.error(
        `process.nextTick is faked while Greenhouse serves ${url}: requests of this process to any server hang, since Node's own http and fetch wait for it. ${advice}`,
      )
    wasFaked = isFaked
    stop = after(checkInterval, () => void check(), false)
  }
  stop = after(checkInterval, () => void check(), false)
  return () => {
    isOver = true
    stop()
  }
}
