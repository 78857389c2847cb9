import { batch } from '@preact/signals'
import { after } from '../../core/time/clock.ts'
import type { StreamEvent } from './transport.ts'

/** How many events wait for a frame at most. */
const most = 500

/** How long they wait in a page that nobody sees, in milliseconds: it draws no frames. */
const hiddenWait = 250

/** Collects events and delivers those of an animation frame together. */
export function batchEvents(deliver: (events: readonly StreamEvent[]) => void): (event: StreamEvent) => void {
  let waiting: StreamEvent[] = []
  let isScheduled = false
  const flush = () => {
    isScheduled = false
    const events = waiting
    waiting = []
    if (events.length > 0) batch(() => deliver(events))
  }
  return (event) => {
    waiting.push(event)
    if (waiting.length >= most) return flush()
    if (isScheduled) return
    isScheduled = true
    if (document.hidden) after(hiddenWait, flush)
    else requestAnimationFrame(flush)
  }
}
