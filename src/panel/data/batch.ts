import { batch } from '@preact/signals'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { StreamEvent } from './transport.ts'

const most = 500

/** The wait in a hidden page, which draws no frames, in milliseconds. */
const hiddenWait = 250

/** The pause between two batches, in milliseconds: nobody reads faster, and drawing every frame takes a whole core. */
const pause = 100

export function batchEvents(onEvents: (events: readonly StreamEvent[]) => void): (event: StreamEvent) => void {
  let waiting: StreamEvent[] = []
  let isScheduled = false
  let lastAt = -Infinity
  const flush = () => {
    isScheduled = false
    lastAt = monotonicNow()
    const events = waiting
    waiting = []
    if (events.length > 0) batch(() => onEvents(events))
  }
  return (event) => {
    waiting.push(event)
    if (waiting.length >= most) return flush()
    if (isScheduled) return
    isScheduled = true
    const wait = lastAt + pause - monotonicNow()
    if (document.hidden) after(hiddenWait, flush)
    else if (wait <= 0) requestAnimationFrame(flush)
    else after(wait, () => requestAnimationFrame(flush))
  }
}
