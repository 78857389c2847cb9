import { batch } from '@preact/signals'
import { after, monotonicNow } from '../../core/time/clock.ts'
import type { StreamEvent } from './transport.ts'

/** How many events wait for a frame at most. */
const most = 500

/** How long they wait in a page that nobody sees, in milliseconds: it draws no frames. */
const hiddenWait = 250

/** How long a page is left alone between two deliveries, in milliseconds: nobody reads faster, and drawing each frame takes a core. */
const pause = 100

/** Collects events and delivers those that came together: in the next frame, or in the first one after the pause. */
export function batchEvents(deliver: (events: readonly StreamEvent[]) => void): (event: StreamEvent) => void {
  let waiting: StreamEvent[] = []
  let isScheduled = false
  let lastAt = -Infinity
  const flush = () => {
    isScheduled = false
    lastAt = monotonicNow()
    const events = waiting
    waiting = []
    if (events.length > 0) batch(() => deliver(events))
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
