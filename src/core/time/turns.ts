import { after } from './clock.ts'

/** How much work is done before others have their turn: a few milliseconds. */
const mostAtOnce = 5_000

/** Makes what long work calls for each step, and waits for where that gives a promise: after every 5,000 steps others have their turn. */
export function createTurns(): (steps?: number) => Promise<void> | undefined {
  let done = 0
  return (steps = 1) => {
    done += steps
    if (done < mostAtOnce) return undefined
    done = 0
    return new Promise((resolve) => void after(0, resolve))
  }
}
