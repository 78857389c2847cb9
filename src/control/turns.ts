import { after, monotonicNow } from '../core/time/clock.ts'
import { nextTurn } from '../core/time/system-time.ts'

/** How long a call may keep others from their turn, in milliseconds. */
const longestTurn = 10

/** Yields the items, and gives other requests their turn when that has taken long. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  let since = monotonicNow()
  for (const item of items) {
    yield item
    if (monotonicNow() - since <= longestTurn) continue
    await nextTurn()
    since = monotonicNow()
  }
}

export async function collectInTurns<T>(items: Iterable<T>, accepts: (item: T) => boolean = () => true): Promise<T[]> {
  const found: T[] = []
  for await (const item of inTurns(items)) if (accepts(item)) found.push(item)
  return found
}

const sortedAtOnce = 2_000

export async function sortInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  max = Infinity,
): Promise<T[]> {
  let first: T[] = []
  for (let start = 0; start < items.length; start += sortedAtOnce) {
    if (start > 0) await nextTurn()
    // The sort recognizes what is in order already, and merges.
    first = [...first, ...items.slice(start, start + sortedAtOnce)].sort(compare).slice(0, max)
  }
  return first
}

/** The longest wait of a control call for work that it started, in milliseconds of real time. */
const longestWait = 10_000

export async function waitFor(work: Promise<void>): Promise<void> {
  // Only the caller's connection keeps the process alive.
  await new Promise<void>((resolve, reject) => {
    const stopWaiting = after(longestWait, resolve, false)
    work.finally(stopWaiting).then(resolve, reject)
  })
}
